// What a timeline must not depend on, and what bounds it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "read/kineto/trace_for_test.h"

namespace gpuledger {
namespace {

// Several windows' worth of rows on many threads and streams, with dirt.
std::string large_trace(int64_t rows) {
  std::string text = R"({"distributedInfo":{"rank":2},"traceEvents":[)";
  for (int64_t i = 0; i < rows; ++i) {
    const std::string correlation = fmt::format(R"("correlation":{})", i);
    const std::string ts = fmt::format("{}.{:03}", 1000 + 10 * i, i % 1000);
    if (i > 0) text += ",\n";
    text += event_text("cpu_op", fmt::format("aten::op{}", i % 97), ts, "9.5",
                       "", fmt::format(R"("pid":1,"tid":{})", i % 13));
    text += ",\n";
    text += event_text("cuda_runtime", "cudaLaunchKernel", ts, "3.25",
                       correlation, fmt::format(R"("pid":1,"tid":{})", i % 13));
    text += ",\n";
    text += event_text(
        "kernel", fmt::format("kernel{}", i % 31), ts, "4.001",
        fmt::format(R"("device":{},"stream":{},)", i % 2, i % 5) + correlation);
    if (i % 500 == 17)
      text += ",\n" + event_text("cpu_op", "a\x02", "5", "1") + ",\n[1]";
    if (i % 300 == 11)
      text += ",\n" + event_text("cpu_op", "record_param_comms", ts, "1",
                                 fmt::format(R"("Collective name":"c{}",)"
                                             R"("dtype":"Float",)"
                                             R"("Group size":8,)"
                                             R"("In msg nelems":{})",
                                             i % 3, i));
  }
  return text + "]}";
}

void expect_same_host(const Timeline& a, const Timeline& b) {
  EXPECT_EQ(a.host.start_ns, b.host.start_ns);
  EXPECT_EQ(a.host.end_ns, b.host.end_ns);
  EXPECT_EQ(a.host.name, b.host.name);
  EXPECT_EQ(a.host.thread, b.host.thread);
  EXPECT_EQ(a.host.kind, b.host.kind);
  EXPECT_EQ(a.host.correlation, b.host.correlation);
}

void expect_same_device(const Timeline& a, const Timeline& b) {
  EXPECT_EQ(a.device.start_ns, b.device.start_ns);
  EXPECT_EQ(a.device.end_ns, b.device.end_ns);
  EXPECT_EQ(a.device.name, b.device.name);
  EXPECT_EQ(a.device.stream, b.device.stream);
  EXPECT_EQ(a.device.kind, b.device.kind);
  EXPECT_EQ(a.device.copy, b.device.copy);
  EXPECT_EQ(a.device.host_memory, b.device.host_memory);
  EXPECT_EQ(a.device.correlation, b.device.correlation);
  EXPECT_EQ(a.device.bytes, b.device.bytes);
}

void expect_same_tables(const Timeline& a, const Timeline& b) {
  ASSERT_EQ(a.names.size(), b.names.size());
  for (NameId id = 0; id < a.names.size(); ++id)
    EXPECT_EQ(a.names.text(id), b.names.text(id));
  ASSERT_EQ(a.threads.size(), b.threads.size());
  for (size_t i = 0; i < a.threads.size(); ++i)
    EXPECT_EQ(a.threads[i].tid, b.threads[i].tid);
  ASSERT_EQ(a.streams.size(), b.streams.size());
  for (size_t i = 0; i < a.streams.size(); ++i) {
    EXPECT_EQ(a.streams[i].device, b.streams[i].device);
    EXPECT_EQ(a.streams[i].id, b.streams[i].id);
  }
  ASSERT_EQ(a.collectives.size(), b.collectives.size());
  for (size_t i = 0; i < a.collectives.size(); ++i) {
    EXPECT_EQ(a.collectives[i].host_row, b.collectives[i].host_row);
    EXPECT_EQ(a.collectives[i].name, b.collectives[i].name);
    EXPECT_EQ(a.collectives[i].in_elements, b.collectives[i].in_elements);
  }
  for (const ImportRow& row : kImports) {
    EXPECT_EQ(count_of(a, row.import), count_of(b, row.import)) << row.id;
    EXPECT_EQ(a.imports.of(row.import).first_offset,
              b.imports.of(row.import).first_offset)
        << row.id;
  }
  EXPECT_EQ(a.events, b.events);
  EXPECT_EQ(a.first_ns, b.first_ns);
  EXPECT_EQ(a.last_ns, b.last_ns);
  EXPECT_EQ(a.metadata.rank, b.metadata.rank);
}

TEST(Result, DoesNotDependOnTheNumberOfThreads) {
  const std::string text = large_trace(20'000);
  ASSERT_GT(text.size(), size_t{4} << 20);  // several windows
  const auto one = read_bytes(text, 1);
  ASSERT_TRUE(one.has_value());
  EXPECT_EQ(one->timeline.device.size(), 20'000u);
  EXPECT_EQ(count_of(one->timeline, Import::element_repaired), 40);
  EXPECT_EQ(count_of(one->timeline, Import::element_dropped), 40);
  EXPECT_EQ(one->timeline.collectives.size(), 67u);
  for (unsigned threads : {2u, 4u}) {
    const auto many = read_bytes(text, threads);
    ASSERT_TRUE(many.has_value());
    expect_same_host(one->timeline, many->timeline);
    expect_same_device(one->timeline, many->timeline);
    expect_same_tables(one->timeline, many->timeline);
  }
}

TEST(Result, HoldsTheArgumentsOfCollectives) {
  const Timeline t = timeline_of_events(
      event_text("cpu_op", "record_param_comms", "1", "9",
                 R"("Collective name":"allreduce","In msg nelems":1024,)"
                 R"("Out msg nelems":2048,"Group size":8,"dtype":"BFloat16",)"
                 R"("Process Group Name":"dp")") +
      ",\n" +
      event_text("cpu_op", "aten::add", "2", "1",
                 R"("Collective name":"not one","Input Dims":[[2,2]])"));
  ASSERT_EQ(t.collectives.size(), 1u);
  const Collective& collective = t.collectives[0];
  EXPECT_EQ(collective.host_row, 0u);
  EXPECT_EQ(t.names.text(collective.name), "allreduce");
  EXPECT_EQ(t.names.text(collective.group), "dp");
  EXPECT_EQ(t.names.text(collective.dtype), "BFloat16");
  EXPECT_EQ(collective.in_elements, 1024);
  EXPECT_EQ(collective.out_elements, 2048);
  EXPECT_EQ(collective.group_size, 8);
}

// A file of its own that is gone afterwards.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& bytes)
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("gpuledger_result_test_{}.json", getpid())) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

ReadRequest request_for(const TemporaryFile& file, uint64_t memory_bytes) {
  ReadRequest request;
  request.path = file.path();
  request.memory_bytes = memory_bytes;
  request.threads = 2;
  return request;
}

TEST(Result, PartsAreCutWhileReading) {
  const TemporaryFile file(
      trace_text(event_text("cpu_op", "early", "1000.5", "1") + ",\n" +
                 event_text("kernel", "across", "1009", "2", R"("device":0)") +
                 ",\n" + event_text("cpu_op", "inside", "1012", "1") + ",\n" +
                 event_text("cpu_op", "late", "1020.5", "5") + ",\n" +
                 event_text("cpu_op", "last", "1040.5", "5")));
  ReadRequest request = request_for(file, 1 << 20);
  request.from_ns = 10'000;
  request.to_ns = 20'000;
  const auto part = read_input(request);
  ASSERT_TRUE(part.has_value());
  const Timeline& t = part->timeline;
  ASSERT_EQ(t.host.size(), 1u);
  EXPECT_EQ(host_name(t, 0), "inside");
  ASSERT_EQ(t.device.size(), 1u);
  EXPECT_EQ(device_name(t, 0), "across");
  // Times count from the first event of the file, kept or not.
  EXPECT_EQ(t.origin_ns, 1'000'500);
  EXPECT_EQ(t.first_ns, 1'010'500);
  EXPECT_EQ(t.last_ns, 1'020'500);
  EXPECT_EQ(part->report.events, 5);
}

TEST(Result, PartsWithOneEdge) {
  const TemporaryFile file(trace_text(event_text("cpu_op", "a", "100", "1") +
                                      ",\n" +
                                      event_text("cpu_op", "b", "200", "1")));
  ReadRequest request = request_for(file, 1 << 20);
  request.from_ns = 50'000;
  auto part = read_input(request);
  ASSERT_TRUE(part.has_value());
  EXPECT_EQ(host_name(part->timeline, 0), "b");
  request.from_ns = std::nullopt;
  request.to_ns = 50'000;
  part = read_input(request);
  ASSERT_TRUE(part.has_value());
  ASSERT_EQ(part->timeline.host.size(), 1u);
  EXPECT_EQ(host_name(part->timeline, 0), "a");
  // The edges may lie anywhere.
  request.from_ns = INT64_MAX;
  request.to_ns = std::nullopt;
  part = read_input(request);
  ASSERT_TRUE(part.has_value());
  EXPECT_EQ(part->timeline.host.size(), 0u);
}

TEST(Result, PartsOfStandardInputAreRefused) {
  ReadRequest request;
  request.path = "-";
  request.memory_bytes = 1 << 20;
  request.from_ns = 1;
  const auto source = decoded_bytes(trace_text(""));
  const auto part = read_source(*source, request);
  ASSERT_FALSE(part.has_value());
  EXPECT_EQ(part.error().code, ErrorCode::usage);
}

// The refusal names the span that was read and a part that does fit.
TEST(Result, MemoryIsBounded) {
  const TemporaryFile file(large_trace(20'000));
  ReadRequest request = request_for(file, 1 << 20);
  const auto whole = read_input(request);
  ASSERT_FALSE(whole.has_value());
  EXPECT_EQ(whole.error().code, ErrorCode::over_budget);
  EXPECT_EQ(whole.error().file, file.path());
  std::smatch match;
  const std::regex expected(
      R"(budget of 1 MiB; the events read so far span ([0-9.]+) s\..* )"
      R"(--from 0ms --to ([0-9.]+)(m|u)s$)");
  ASSERT_TRUE(std::regex_search(whole.error().text, match, expected))
      << whole.error().text;
  EXPECT_GT(std::stod(match[1]), 0.001);
  EXPECT_LE(std::stod(match[1]), 0.2);
  const double unit_ns = match[3] == "m" ? 1e6 : 1e3;
  request.from_ns = 0;
  request.to_ns = static_cast<int64_t>(std::stod(match[2]) * unit_ns);
  const auto part = read_input(request);
  ASSERT_TRUE(part.has_value()) << part.error().text;
  EXPECT_GT(part->timeline.device.size(), 100u);
}

// Rows of 20,000 events; # stands for the event's number.
std::string numbered_rows(std::string_view row) {
  std::string events;
  for (int i = 0; i < 20'000; ++i) {
    if (i > 0) events += ",\n";
    for (const char c : row)
      if (c == '#')
        events += std::to_string(i);
      else
        events += c;
  }
  return trace_text(events);
}

bool fits(std::string_view row, uint64_t memory_bytes) {
  const TemporaryFile file(numbered_rows(row));
  const auto input = read_input(request_for(file, memory_bytes));
  EXPECT_TRUE(input || input.error().code == ErrorCode::over_budget);
  return input.has_value();
}

// Of processes, threads, streams, devices and names there may be as many as
// rows.
TEST(Result, TablesCountAsMemory) {
  const std::string host = event_text("cpu_op", "x", "1#", "1");
  const std::string device =
      event_text("kernel", "x", "1#", "1", R"("device":0,"stream":7)");
  EXPECT_TRUE(fits(host, 4 << 20));
  EXPECT_TRUE(fits(device, 4 << 20));
  for (const std::string& row :
       {event_text("cpu_op", "x", "1#", "1", "", R"("pid":#,"tid":7)"),
        event_text("cpu_op", "x", "1#", "1", "", R"("pid":0,"tid":"t#")"),
        event_text("cpu_op", "a name of some length, number #", "1#", "1"),
        event_text("kernel", "x", "1#", "1", R"("device":0,"stream":#)"),
        event_text("kernel", "x", "1#", "1", R"("device":#,"stream":7)")})
    EXPECT_FALSE(fits(row, 4 << 20)) << row;
}

// Whether rows at time zero are real is known at the end; they are held till
// then.
TEST(Result, RowsAtTimeZeroCountAsMemory) {
  const std::string row =
      event_text("kernel", "x", "0", "1", R"("device":0,"stream":7)");
  EXPECT_TRUE(fits(row, 4 << 20));
  EXPECT_FALSE(fits(row, 2 << 20));
}

// What is held only once, but whole: one event, the text around the events.
TEST(Result, LittleMemoryHoldsNoLongTexts) {
  const std::string kernel = event_text("kernel", "x", "1", "1");
  const std::string text(1'200'000, 'x');
  const TemporaryFile file(trace_text(
      kernel + ",\n" + event_text("cpu_op", text, "1", "1"),
      R"("distributedInfo":{"rank":1},"traceName":")" + text + "\","));
  const auto little = read_input(request_for(file, 8 << 20));
  ASSERT_TRUE(little.has_value()) << little.error().text;
  EXPECT_EQ(count_of(little->timeline, Import::element_skipped), 1);
  EXPECT_EQ(count_of(little->timeline, Import::header_unreadable), 1);
  EXPECT_EQ(little->timeline.metadata.rank, 1);
  EXPECT_EQ(little->timeline.device.size(), 1u);
  const auto enough = read_input(request_for(file, 64 << 20));
  ASSERT_TRUE(enough.has_value()) << enough.error().text;
  EXPECT_EQ(count_of(enough->timeline, Import::element_skipped), 0);
  EXPECT_EQ(count_of(enough->timeline, Import::header_unreadable), 0);
}

}  // namespace
}  // namespace gpuledger
