// Traces that a test writes, and what the reader makes of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "read/reader.h"

namespace gpuledger {

// A file in memory.
class BytesSource : public ByteSource {
 public:
  explicit BytesSource(std::string bytes) : bytes_(std::move(bytes)) {}

  Result<size_t> read(std::span<char> out) override {
    const size_t count = std::min(out.size(), bytes_.size() - at_);
    std::memcpy(out.data(), bytes_.data() + at_, count);
    at_ += count;
    return count;
  }

 private:
  std::string bytes_;
  size_t at_ = 0;
};

inline std::unique_ptr<DecodedFile> decoded_bytes(std::string bytes) {
  const uint64_t size = bytes.size();
  auto file = DecodedFile::create(
      std::make_unique<BytesSource>(std::move(bytes)), size);
  EXPECT_TRUE(file.has_value());
  return std::move(*file);
}

inline Result<ReadInput> read_bytes(std::string bytes, unsigned threads = 1) {
  ReadRequest request;
  request.path = "trace.json";
  request.memory_bytes = 1 << 30;
  request.threads = threads;
  const auto source = decoded_bytes(std::move(bytes));
  return read_source(*source, request);
}

// The timeline of a file that is read; a refusal fails the test.
inline Timeline timeline_of(std::string bytes) {
  auto input = read_bytes(std::move(bytes));
  if (!input) {
    ADD_FAILURE() << input.error().text;
    return {};
  }
  return std::move(input->timeline);
}

inline std::string trace_text(std::string_view events,
                              std::string_view header = "") {
  std::string text = "{";
  text += header;
  text += "\"traceEvents\": [\n";
  text += events;
  return text + "\n]}";
}

inline Timeline timeline_of_events(std::string_view events,
                                   std::string_view header = "") {
  return timeline_of(trace_text(events, header));
}

// Times are texts, so that a test may write anything.
inline std::string event_text(std::string_view category, std::string_view name,
                              std::string_view ts, std::string_view dur,
                              std::string_view args = "",
                              std::string_view track = R"("pid":0,"tid":7)") {
  std::string text = R"({"ph":"X","cat":")";
  text.append(category).append(R"(","name":")").append(name);
  text.append(R"(",)").append(track);
  text.append(R"(,"ts":)").append(ts).append(R"(,"dur":)").append(dur);
  return text.append(R"(,"args":{)").append(args).append("}}");
}

inline std::string_view device_name(const Timeline& timeline, size_t row) {
  return timeline.names.text(timeline.device.name[row]);
}

inline std::string_view host_name(const Timeline& timeline, size_t row) {
  return timeline.names.text(timeline.host.name[row]);
}

inline int64_t count_of(const Timeline& timeline, Import import) {
  return timeline.imports.of(import).count;
}

}  // namespace gpuledger
