// How fast text becomes elements: inflating, cutting, repairing.
//   text_bench [--benchmark_filter=…]
// GPULEDGER_BENCH_FILE names a trace to use instead of the made-up one.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <isa-l/igzip_lib.h>

#include <cstdlib>
#include <cstring>
#include <memory>

#include "base/decode.h"
#include "read/json/elements.h"
#include "read/json/repair.h"

namespace gpuledger {
namespace {

constexpr size_t kTextBytes = 32 << 20;

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string_view text) : text_(text) {}
  Result<size_t> read(std::span<char> out) override {
    const size_t count = std::min(out.size(), text_.size());
    std::memcpy(out.data(), text_.data(), count);
    text_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view text_;
};

std::string made_up_trace() {
  std::string text = "{\n  \"schemaVersion\": 1,\n  \"traceEvents\": [\n  ";
  for (int64_t i = 0; text.size() < kTextBytes; ++i)
    text += fmt::format(
        "{}{{\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": "
        "\"aten::op_{}\", \"pid\": 4242, \"tid\": {},\n    \"ts\": {}.{:03}, "
        "\"dur\": {}.125,\n    \"args\": {{\n      \"External id\": {},"
        "\"Record function id\": 0, \"Input Dims\": [[{}, 64], [], []], "
        "\"Input type\": [\"float\", \"Scalar\", \"\"], \"Ev Idx\": {}\n    }}"
        "\n  }}",
        i > 0 ? ",\n  " : "", i % 97, 4242 + i % 3, 5177000 + i * 11,
        i * 7919 % 1000, i % 41, i, i % 512, i);
  return text + "\n  ],\n  \"traceName\": \"trace.json\"\n}\n";
}

std::string read_file(const char* path) {
  auto file = open_decoded(path);
  std::string text;
  std::vector<char> buffer(1 << 20);
  while (file.has_value()) {
    const auto count = (*file)->read(buffer);
    if (!count || *count == 0) break;
    text.append(buffer.data(), *count);
  }
  return text;
}

const std::string& trace() {
  static const std::string text = [] {
    const char* path = std::getenv("GPULEDGER_BENCH_FILE");
    return path != nullptr ? read_file(path) : made_up_trace();
  }();
  return text;
}

std::string gzip(const std::string& text) {
  isal_zstream stream;
  isal_deflate_init(&stream);
  std::vector<uint8_t> level(ISAL_DEF_LVL3_DEFAULT);
  stream.gzip_flag = IGZIP_GZIP;
  stream.end_of_stream = 1;
  stream.level = 3;
  stream.level_buf = level.data();
  stream.level_buf_size = static_cast<uint32_t>(level.size());
  std::string out(text.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uint32_t>(text.size());
  stream.next_out = reinterpret_cast<uint8_t*>(out.data());
  stream.avail_out = static_cast<uint32_t>(out.size());
  isal_deflate(&stream);
  out.resize(stream.total_out);
  return out;
}

void count_bytes(benchmark::State& state) {
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) *
                          static_cast<int64_t>(trace().size()));
}

void copy(benchmark::State& state) {
  std::vector<char> buffer(1 << 20);
  for (auto _ : state) {
    MemorySource source(trace());
    while (*source.read(buffer) > 0) benchmark::DoNotOptimize(buffer.data());
  }
  count_bytes(state);
}
BENCHMARK(copy);

void inflate(benchmark::State& state) {
  const std::string file = gzip(trace());
  std::vector<char> buffer(1 << 20);
  for (auto _ : state) {
    const auto decoded =
        DecodedFile::create(std::make_unique<MemorySource>(file), file.size());
    while (*(*decoded)->read(buffer) > 0)
      benchmark::DoNotOptimize(buffer.data());
  }
  count_bytes(state);
}
BENCHMARK(inflate);

// The cut alone, over text that is in memory as a whole.
void cut_in_place(benchmark::State& state) {
  const std::string& text = trace();
  const size_t begin = text.find("\"traceEvents\": [") + 16;
  std::vector<Element> elements;
  for (auto _ : state) {
    Cutter cutter;
    cutter.start(begin);
    elements.clear();
    benchmark::DoNotOptimize(cutter.cut(text, begin, true, elements));
  }
  count_bytes(state);
}
BENCHMARK(cut_in_place);

void cut(benchmark::State& state) {
  ElementWindow window;
  for (auto _ : state) {
    MemorySource source(trace());
    ElementReader reader(source);
    while (*reader.next(window)) benchmark::DoNotOptimize(window.text().data());
  }
  count_bytes(state);
}
BENCHMARK(cut);

void inflate_and_cut(benchmark::State& state) {
  const std::string file = gzip(trace());
  ElementWindow window;
  for (auto _ : state) {
    const auto decoded =
        DecodedFile::create(std::make_unique<MemorySource>(file), file.size());
    ElementReader reader(**decoded);
    while (*reader.next(window)) benchmark::DoNotOptimize(window.text().data());
  }
  count_bytes(state);
}
BENCHMARK(inflate_and_cut);

void cut_and_repair(benchmark::State& state) {
  ElementWindow window;
  for (auto _ : state) {
    MemorySource source(trace());
    ElementReader reader(source);
    while (*reader.next(window))
      for (const Element& element : window.elements)
        benchmark::DoNotOptimize(repair_element(window.text_of(element)));
  }
  count_bytes(state);
}
BENCHMARK(cut_and_repair);

}  // namespace
}  // namespace gpuledger

BENCHMARK_MAIN();
