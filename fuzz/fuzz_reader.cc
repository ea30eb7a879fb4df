// The fuzz target: the bytes of a file through every reader of the table and,
// where one makes a timeline of them, through the analysis. Crashes, sanitizer
// reports and accounts that do not sum to their window are findings.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

#include "base/check.h"
#include "base/decode.h"
#include "diagnose/trace.h"
#include "read/reader.h"

namespace gpuledger {
namespace {

constexpr uint64_t kMemoryBytes = uint64_t{64} << 20;

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::span<const char> bytes) : bytes_(bytes) {}

  Result<size_t> read(std::span<char> out) override {
    const size_t size = std::min(out.size(), bytes_.size());
    if (size > 0) std::memcpy(out.data(), bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
    return size;
  }

 private:
  std::span<const char> bytes_;
};

void analyze(Timeline& timeline) {
  AnalyzeOptions options;
  options.threads = 1;
  const auto result = analyze_trace(timeline, 0, options, [](const char*) {});
  if (!result) return;
  for (const DeviceReport& device : result->devices) {
    CHECK(device.accounts.total_ns() == device.window_ns);
    for (const StepReport& step : device.steps)
      CHECK(step.accounts.total_ns() == step.window_ns);
  }
}

void feed(std::span<const char> bytes) {
  ReadRequest request;
  request.path = "input";
  request.memory_bytes = kMemoryBytes;
  for (const Reader& reader : kReaders) {
    auto source = DecodedFile::create(std::make_unique<MemorySource>(bytes),
                                      bytes.size());
    if (!source) return;
    // Not asked whether the file is its own: it must survive any.
    auto timeline = reader.read(**source, request);
    if (timeline) analyze(*timeline);
  }
  auto source =
      DecodedFile::create(std::make_unique<MemorySource>(bytes), bytes.size());
  if (source) (void)read_source(**source, request);
}

}  // namespace
}  // namespace gpuledger

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  gpuledger::feed({reinterpret_cast<const char*>(data), size});
  return 0;
}
