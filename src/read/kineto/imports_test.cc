// Every counter of the import table that a reader fires, fired. The others
// (duplicate-activity, correlation-ambiguous, starts-before-launch,
// device-claimed-twice) are counted where rows are ordered, matched and put
// side by side.
#include <gtest/gtest.h>

#include <set>

#include "read/kineto/trace_for_test.h"

namespace gpuledger {
namespace {

const std::string kKernel =
    event_text("kernel", "gemm", "1.5", "2", R"("device":0,"stream":7)");

// One gzip member that stores its bytes.
std::string stored_gzip(std::string_view text, bool right_checksum = true) {
  std::string bytes("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
  const auto put = [&](uint32_t value, int count) {
    for (int i = 0; i < count; ++i)
      bytes += static_cast<char>(value >> (8 * i) & 255);
  };
  put(1, 1);
  put(static_cast<uint32_t>(text.size()), 2);
  put(~static_cast<uint32_t>(text.size()), 2);
  bytes += text;
  uint32_t crc = ~0u;
  for (char c : text) {
    crc ^= static_cast<uint8_t>(c);
    for (int i = 0; i < 8; ++i) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
  }
  put(right_checksum ? ~crc : crc, 4);
  put(static_cast<uint32_t>(text.size()), 4);
  return bytes;
}

// What fires a counter, and how often and where it then is.
struct Firing {
  Import import;
  std::string bytes;
  int64_t count;
  std::optional<uint64_t> offset;
};

std::string event(std::string_view ts, std::string_view dur,
                  std::string_view category = "kernel") {
  return event_text(category, "odd", ts, dur, R"("device":0,"stream":7)");
}

// The odd event stands behind a good one.
Firing fires(Import import, std::string_view odd) {
  const std::string text = trace_text(kKernel + ",\n" + std::string(odd));
  return {import, text, 1, text.find(odd)};
}

std::vector<Firing> container_firings() {
  const std::string text = trace_text(kKernel);
  const std::string gzip = stored_gzip(text);
  const std::string half =
      stored_gzip(text.substr(0, 40)) + stored_gzip(text.substr(40));
  return {
      {Import::compressed_parts, half, 2, std::nullopt},
      {Import::trailing_bytes, gzip + "rest", 1, gzip.size()},
      {Import::checksum_missing, gzip.substr(0, gzip.size() - 6), 1,
       gzip.size() - 6},
      // Cut behind the last event.
      {Import::checksum_missing, gzip.substr(0, gzip.size() - 9), 1,
       gzip.size() - 9},
      {Import::checksum_wrong, stored_gzip(text, false), 1, gzip.size() - 8},
      {Import::truncated, text.substr(0, text.size() - 2), 1, std::nullopt},
      {Import::truncated, gzip.substr(0, gzip.size() - 20), 1,
       gzip.size() - 20},
  };
}

std::vector<Firing> event_firings() {
  const std::string sparse = event_text("kernel", "gemm", "1", "2");
  return {
      fires(Import::element_repaired,
            event_text("cpu_op", "a\x02", "1.5", "2")),
      fires(Import::element_dropped, R"(["no", "event"])"),
      fires(Import::not_a_number,
            event_text("kernel", "k", "1", "2", R"("device":0,"x":NaN)")),
      fires(Import::time_unreadable, event("\"soon\"", "2")),
      fires(Import::time_unreadable, event("1", "null")),
      fires(Import::time_unreadable, event("NaN", "2")),
      fires(Import::time_overflow, event("1e400", "2")),
      fires(Import::time_overflow, event("1", "1e400", "cpu_op")),
      fires(Import::time_overflow, event("-5e15", "1")),
      fires(Import::time_overflow, event("4.7e15", "1")),
      fires(Import::time_overflow, event("1", "1.2e12")),
      fires(Import::activity_time_lost, event("1", "18446744073709551")),
      fires(Import::duration_negative, event("1", "-2")),
      fires(Import::activity_time_lost, event("1", "-2")),
      fires(Import::activity_time_lost, event("0", "0")),
      fires(Import::activity_time_lost, event("1e400", "2")),
      fires(Import::unknown_category, event("1", "2", "tea_time")),
      {Import::integer_microseconds, trace_text(sparse), 1, std::nullopt},
      {Import::stream_unknown,
       trace_text(event_text("kernel", "gemm", "1", "2", R"("device":0)",
                             R"("pid":0,"tid":"")")),
       1, std::nullopt},
      {Import::header_unreadable,
       trace_text(kKernel, R"("distributedInfo":{"rank":1,},)"), 1,
       std::nullopt},
  };
}

Firing element_skipped() {
  const std::string begin = trace_text(kKernel + ",\n");
  std::string text = begin.substr(0, begin.size() - 3);
  const uint64_t offset = text.size();
  text += event_text("cpu_op", std::string(66 << 20, 'x'), "1", "2");
  return {Import::element_skipped, text + ",\n" + kKernel + "]}", 1, offset};
}

TEST(Imports, EachCounterOfAReaderFires) {
  std::vector<Firing> firings = container_firings();
  for (Firing& firing : event_firings()) firings.push_back(std::move(firing));
  firings.push_back(element_skipped());
  std::set<Import> fired{
      Import::duplicate_activity, Import::correlation_ambiguous,
      Import::start_before_launch, Import::device_claimed_twice};
  for (const Firing& firing : firings) {
    const auto& row = kImports[static_cast<size_t>(firing.import)];
    const Timeline t = timeline_of(firing.bytes);
    const auto& counter = t.imports.of(firing.import);
    EXPECT_EQ(counter.count, firing.count) << row.id;
    EXPECT_EQ(counter.first_offset, firing.offset) << row.id;
    EXPECT_GE(t.device.size(), firing.import == Import::truncated ? 0u : 1u)
        << row.id;
    fired.insert(firing.import);
  }
  for (const ImportRow& row : kImports)
    EXPECT_TRUE(fired.contains(row.import)) << row.id << " never fires";
}

// Nothing is known of such a file but that it is not whole.
TEST(Imports, AStreamCutBeforeItsTextIsTruncated) {
  for (const size_t bytes : {2, 9, 14}) {
    const auto input =
        read_bytes(stored_gzip(trace_text(kKernel)).substr(0, bytes));
    ASSERT_TRUE(input.has_value()) << bytes;
    EXPECT_TRUE(input->report.truncated);
    EXPECT_EQ(input->report.events, 0);
    EXPECT_EQ(count_of(input->timeline, Import::truncated), 1);
    EXPECT_EQ(count_of(input->timeline, Import::header_unreadable), 0);
  }
  EXPECT_FALSE(read_bytes(stored_gzip("")).has_value());
}

// Wherever the text behind the events breaks off, compressed or not.
TEST(Imports, WhatIsCutBehindTheEventsIsNotTruncated) {
  const std::string text =
      trace_text(kKernel).substr(0, trace_text(kKernel).size() - 1) +
      R"(, "traceName": "x"})";
  for (size_t cut = 1; cut < 18; ++cut) {
    const std::string part = text.substr(0, text.size() - cut);
    const std::string stored = stored_gzip(text);
    for (const std::string& bytes :
         {part, stored_gzip(part), stored.substr(0, stored.size() - 8 - cut)}) {
      const auto input = read_bytes(bytes);
      ASSERT_TRUE(input.has_value()) << cut;
      EXPECT_FALSE(input->report.truncated) << cut;
      EXPECT_EQ(count_of(input->timeline, Import::truncated), 0) << cut;
      EXPECT_EQ(input->timeline.device.size(), 1u) << cut;
    }
  }
}

TEST(Imports, ACutTextWithoutAnyKeyOfATraceIsRefused) {
  for (const char* text :
       {R"({"users": [{"name": "me"}, {)", R"({"users": 3, "groups": {"a": 1)"})
    EXPECT_FALSE(read_bytes(text).has_value()) << text;
  for (const char* text : {"{", R"({"schem)", R"({"schemaVersion": 1, "dev)",
                           R"({"mine": 1, "deviceProperties": [{"id": 0)"})
    EXPECT_TRUE(read_bytes(text).has_value()) << text;
}

TEST(Imports, ACutListOfSomethingElseIsRefused) {
  const std::string list = R"([{"user": 1}, {"user": 2}, {"user": 3}])";
  for (const size_t cut : {0, 1, 5, 13, 16})
    EXPECT_FALSE(read_bytes(list.substr(0, list.size() - cut)).has_value())
        << cut;
  const std::string events = "[" + kKernel + ", " + kKernel + "]";
  for (size_t cut = 0; cut < events.size(); ++cut)
    EXPECT_TRUE(read_bytes(events.substr(0, events.size() - cut)).has_value())
        << cut;
}

TEST(Imports, SpacesBeforeTheTraceDoNotMatter) {
  const std::string spaces(300'000, ' ');
  EXPECT_EQ(timeline_of(spaces + trace_text(kKernel)).device.size(), 1u);
  EXPECT_FALSE(read_bytes(spaces).has_value());
}

TEST(Imports, ACleanTraceFiresNone) {
  for (const std::string& bytes :
       {trace_text(kKernel), stored_gzip(trace_text(kKernel))}) {
    const Timeline t = timeline_of(bytes);
    EXPECT_EQ(t.device.size(), 1u);
    for (const ImportRow& row : kImports)
      EXPECT_EQ(count_of(t, row.import), 0) << row.id;
  }
}

TEST(Imports, AHeaderIsRepairedLikeAnEvent) {
  const Timeline t =
      timeline_of_events(kKernel, R"("distributedInfo":{"rank":1,},)");
  EXPECT_EQ(t.metadata.rank, 1);
}

// One bad event never costs its neighbours.
TEST(Imports, ABadEventIsLeftOutAlone) {
  for (const char* bad :
       {R"({"ph":"X","name":tru})", R"({"ph":"X","cat":"kernel")", "[1,2,3]",
        "17", R"("text")", "null", "{}", R"({"ph":"X",,,"ts":})",
        R"({"ph":"X","cat":"kernel","name":"x","ts":)"}) {
    const Timeline t = timeline_of_events(
        kKernel + ",\n" + bad + ",\n" +
        event_text("kernel", "behind", "9", "2", R"("device":0)"));
    ASSERT_EQ(t.device.size(), 2u) << bad;
    EXPECT_EQ(device_name(t, 1), "behind") << bad;
  }
}

}  // namespace
}  // namespace gpuledger
