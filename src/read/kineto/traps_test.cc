// What traces of ten years are known to hold. One test each:
//   times       TimesAreMicroseconds, WholeMicroseconds, NegativeNanoseconds,
//               NegativeDurations, ZeroLengthKernels
//   the header  BaseTimeBefore/BehindTheEvents, HeaderBehindTheEvents,
//               EmptyDeviceName, MetadataIsNotKept
//   the shape   BareList, CutBareList, CutObject, ByteOrderMark, ZeroPadding
//   dialects    CategoriesOf2021, CategoriesOfToday, ExternalIdIsNoCorrelation,
//               StringIds, StreamInTid, AutogradExport, AmdNames
//   not work    AnnotationsOnTheGpu, SyncRows, Flows, Counters, Instants,
//               MetadataRows, CounterReplay
//   odd rows    StreamMinusOne, DeviceOfArgs, OneCorrelationManyKernels,
//               OverlapOnOneStream, OverheadRows, WindowEnd, LargeIntegers
//   odd text    ControlBytes, InvalidUtf8, UnknownEscapes, StrayQuotes,
//               LogLines, BareWords
#include <gtest/gtest.h>

#include "read/kineto/trace_for_test.h"

namespace gpuledger {
namespace {

Timeline with_kernel(std::string_view events, std::string_view header = "") {
  const std::string kernel =
      event_text("kernel", "gemm", "5", "2", R"("device":0,"stream":7)");
  return timeline_of_events(std::string(events) + ",\n" + kernel, header);
}

// ts and dur are microseconds whatever the display unit says.
TEST(Traps, TimesAreMicroseconds) {
  for (const char* unit : {"ms", "ns"}) {
    const Timeline t = timeline_of_events(
        event_text("cpu_op", "aten::mm", "1712195518601234.117", "0.883"),
        R"("displayTimeUnit":")" + std::string(unit) + R"(",)");
    ASSERT_EQ(t.host.size(), 1u);
    EXPECT_EQ(t.host.start_ns[0], 1'712'195'518'601'234'117);
    EXPECT_EQ(t.host.end_ns[0], 1'712'195'518'601'235'000);
    EXPECT_EQ(count_of(t, Import::integer_microseconds), 0);
  }
}

TEST(Traps, WholeMicrosecondsAreSaid) {
  const Timeline t = with_kernel(event_text("cpu_op", "a", "1", "2"));
  EXPECT_EQ(count_of(t, Import::integer_microseconds), 1);
  const Timeline mixed = with_kernel(event_text("cpu_op", "a", "1.5", "2"));
  EXPECT_EQ(count_of(mixed, Import::integer_microseconds), 0);
}

TEST(Traps, ZeroLengthKernelsAreKept) {
  const Timeline t = timeline_of_events(
      event_text("kernel", "short", "5", "0", R"("device":0,"stream":7)"));
  ASSERT_EQ(t.device.size(), 1u);
  EXPECT_EQ(t.device.start_ns[0], 5'000);
  EXPECT_EQ(t.device.end_ns[0], 5'000);
}

TEST(Traps, NegativeNanosecondsBehindThePoint) {
  const Timeline t = with_kernel(event_text("cpu_op", "a", "0.-05", "1.000"));
  EXPECT_EQ(t.host.start_ns[0], -5);
  EXPECT_EQ(t.host.end_ns[0], 995);
  EXPECT_EQ(t.origin_ns, -5);
}

TEST(Traps, NegativeDurationsAreZeroAndCounted) {
  const Timeline t = with_kernel(event_text("cpu_op", "a", "10", "-3"));
  ASSERT_EQ(t.host.size(), 1u);
  EXPECT_EQ(t.host.start_ns[0], 10'000);
  EXPECT_EQ(t.host.end_ns[0], 10'000);
  EXPECT_EQ(count_of(t, Import::duration_negative), 1);
}

// Which end of it is wrong, nobody knows.
TEST(Traps, ANegativeDurationOfAGpuRowLosesItsTime) {
  const auto rows = [](std::string_view dur) {
    const Timeline t = with_kernel(
        event_text("kernel", "backward", "10", dur, R"("device":0)"));
    EXPECT_EQ(count_of(t, Import::duration_negative), 1) << dur;
    EXPECT_EQ(count_of(t, Import::activity_time_lost), 2 - t.device.size())
        << dur;
    return t.device.size();
  };
  EXPECT_EQ(rows("-1.001"), 1u);
  EXPECT_EQ(rows("-50"), 1u);
  EXPECT_EQ(rows("-1"), 2u);
  EXPECT_EQ(rows("0.-05"), 2u);
}

TEST(Traps, BaseTimeBeforeTheEvents) {
  const Timeline t =
      with_kernel(event_text("cpu_op", "a", "1", "2"),
                  R"("baseTimeNanoseconds":1712195518000000000,)");
  EXPECT_EQ(t.metadata.base_time_ns, 1'712'195'518'000'000'000);
  EXPECT_EQ(t.host.start_ns[0], 1'000);
}

TEST(Traps, BaseTimeBehindTheEvents) {
  const Timeline t = timeline_of(
      R"({"traceEvents":[)" + event_text("cpu_op", "a", "1", "2") +
      R"(],"baseTimeNanoseconds":1712195518000000000,"traceName":"x"})");
  EXPECT_EQ(t.metadata.base_time_ns, 1'712'195'518'000'000'000);
  EXPECT_EQ(t.host.start_ns[0], 1'000);
  EXPECT_FALSE(t.truncated);
}

TEST(Traps, HeaderBehindTheEvents) {
  const std::string header =
      R"("distributedInfo":{"backend":"nccl","rank":3,"world_size":8},)"
      R"("deviceProperties":[{"id":0,"name":"NVIDIA H100","numSms":132,)"
      R"("computeMajor":9,"computeMinor":0,"totalGlobalMem":85899345920}])";
  const std::string events =
      R"("traceEvents":[)" +
      event_text("kernel", "gemm", "1", "2", R"("device":0,"stream":7)") + "]";
  for (const std::string& text :
       {"{" + header + "," + events + "}", "{" + events + "," + header + "}"}) {
    const Timeline t = timeline_of(text);
    EXPECT_EQ(t.metadata.rank, 3);
    EXPECT_EQ(t.metadata.world_size, 8);
    EXPECT_EQ(t.metadata.backend, "nccl");
    ASSERT_EQ(t.devices.size(), 1u);
    EXPECT_EQ(t.devices[0].name, "NVIDIA H100");
    EXPECT_EQ(t.devices[0].sm_count, 132);
    EXPECT_EQ(t.devices[0].compute_major, 9);
    EXPECT_EQ(t.devices[0].memory_bytes, 85'899'345'920);
  }
}

// Eight devices are listed, without names; one was used.
TEST(Traps, EmptyDeviceName) {
  const Timeline t =
      with_kernel(event_text("cpu_op", "a", "1", "2"),
                  R"("deviceProperties":[{"id":0,"name":"","numSms":304},)"
                  R"({"id":1,"name":"","numSms":304}],)");
  ASSERT_EQ(t.devices.size(), 1u);
  EXPECT_EQ(t.devices[0].id, 0);
  EXPECT_EQ(t.devices[0].name, "");
  EXPECT_EQ(t.devices[0].sm_count, 304);
}

// Secrets in user metadata and in arguments never enter the timeline.
TEST(Traps, MetadataIsNotKept) {
  const Timeline t =
      with_kernel(event_text("cpu_op", "a", "1", "2", R"("token":"hush-args")"),
                  R"("metadata":{"system":{"env":{"TOKEN":"hush-env"}}},)"
                  R"("host_name":"hush-host","distributedInfo":{"rank":1,)"
                  R"("pg_config":[{"pg_desc":"hush-group"}]},)");
  EXPECT_EQ(t.metadata.rank, 1);
  EXPECT_EQ(t.metadata.backend, "");
  for (NameId id = 0; id < t.names.size(); ++id)
    EXPECT_EQ(t.names.text(id).find("hush"), std::string_view::npos);
}

TEST(Traps, BareList) {
  const Timeline t =
      timeline_of("[" + event_text("Operator", "aten::mm", "1", "2") + "]");
  EXPECT_EQ(t.host.size(), 1u);
  EXPECT_FALSE(t.truncated);
}

TEST(Traps, CutBareList) {
  const Timeline t =
      timeline_of("[" + event_text("Operator", "aten::mm", "1", "2") + ",\n");
  EXPECT_EQ(t.host.size(), 1u);
  EXPECT_TRUE(t.truncated);
}

TEST(Traps, CutObject) {
  const std::string text =
      trace_text(event_text("cpu_op", "a", "1", "2") + ",\n" +
                 event_text("cpu_op", "b", "3", "4"));
  const Timeline t = timeline_of(text.substr(0, text.size() - 20));
  EXPECT_TRUE(t.truncated);
  EXPECT_EQ(count_of(t, Import::truncated), 1);
  ASSERT_GE(t.host.size(), 1u);
  EXPECT_EQ(host_name(t, 0), "a");
}

TEST(Traps, ByteOrderMark) {
  const Timeline t = timeline_of(
      "\xef\xbb\xbf" + trace_text(event_text("cpu_op", "a", "1", "2")));
  EXPECT_EQ(t.host.size(), 1u);
  EXPECT_EQ(count_of(t, Import::header_unreadable), 0);
}

TEST(Traps, ZeroPadding) {
  const Timeline t = timeline_of(
      trace_text(event_text("cpu_op", "a", "1", "2")) + std::string(100, '\0'));
  EXPECT_EQ(t.host.size(), 1u);
  EXPECT_FALSE(t.truncated);
}

struct Category {
  const char* category;
  size_t host_rows, device_rows;
};

void expect_category(const Category& c, std::string_view name) {
  const Timeline t = timeline_of_events(event_text(
      c.category, name, "1", "2", R"("device":0,"stream":7,"correlation":9)"));
  EXPECT_EQ(t.host.size(), c.host_rows) << c.category;
  EXPECT_EQ(t.device.size(), c.device_rows) << c.category;
  EXPECT_EQ(count_of(t, Import::unknown_category), 0) << c.category;
}

TEST(Traps, CategoriesOf2021) {
  for (const Category& c : {Category{"Operator", 1, 0},
                            {"Runtime", 1, 0},
                            {"Kernel", 0, 1},
                            {"Memcpy", 0, 1},
                            {"Memset", 0, 1},
                            {"Trace", 0, 0}})
    expect_category(c, "x");
  const Timeline t =
      timeline_of_events(event_text("Operator", "ProfilerStep#3", "1", "9") +
                         ",\n" + event_text("Operator", "aten::mm", "2", "3"));
  EXPECT_EQ(t.host.kind[0], HostKind::range);
  EXPECT_EQ(t.host.kind[1], HostKind::op);
}

TEST(Traps, CategoriesOfToday) {
  for (const Category& c : {Category{"cpu_op", 1, 0},
                            {"cuda_runtime", 1, 0},
                            {"cuda_driver", 1, 0},
                            {"python_function", 1, 0},
                            {"user_annotation", 1, 0},
                            {"overhead", 1, 0},
                            {"kernel", 0, 1},
                            {"gpu_memcpy", 0, 1},
                            {"gpu_memset", 0, 1},
                            {"gpu_user_annotation", 0, 0},
                            {"cuda_sync", 0, 0},
                            {"cpu_instant_event", 0, 0}})
    expect_category(c, "x");
}

// "External id" names the operator, not the launch.
TEST(Traps, ExternalIdIsNoCorrelation) {
  const Timeline t = timeline_of_events(
      event_text("cuda_runtime", "cudaLaunchKernel", "1", "2",
                 R"("External id":31,"cbid":211,"correlation":77)") +
      ",\n" +
      event_text("kernel", "gemm", "4", "2",
                 R"("external id":31,"device":0,"stream":7,"correlation":77)"));
  EXPECT_EQ(t.host.correlation[0], 77u);
  EXPECT_EQ(t.device.correlation[0], 77u);
  const Timeline none = timeline_of_events(event_text(
      "cpu_op", "aten::mm", "1", "2", R"("External id":31,"correlation":77)"));
  EXPECT_EQ(none.host.correlation[0], kNoCorrelation);
}

TEST(Traps, StringIds) {
  const Timeline t = timeline_of_events(
      event_text("cuda_runtime", "cudaLaunchKernel", "\"1.5\"", "\"2\"",
                 R"("correlation":"77")", R"("pid":"42","tid":"4093687616")") +
      ",\n" +
      event_text("cpu_op", "aten::mm", "1", "4", "",
                 R"("pid":42,"tid":4093687616)") +
      ",\n" +
      event_text("cpu_op", "spans", "1", "4", "",
                 R"("pid":"Spans","tid":"PyTorch Profiler")") +
      ",\n" +
      event_text("kernel", "gemm", "\"4\"", "\"2\"",
                 R"("device":"1","stream":"20","correlation":"77")",
                 R"("pid":"1","tid":"20")"));
  ASSERT_EQ(t.threads.size(), 2u);
  EXPECT_EQ(t.threads[0].tid, "4093687616");
  EXPECT_EQ(t.host.thread[0], t.host.thread[1]);
  EXPECT_EQ(t.processes[t.threads[0].process].pid, 42);
  EXPECT_EQ(t.threads[1].tid, "PyTorch Profiler");
  EXPECT_EQ(t.host.correlation[0], 77u);
  EXPECT_EQ(t.device.correlation[0], 77u);
  ASSERT_EQ(t.streams.size(), 1u);
  EXPECT_EQ(t.streams[0].id, 20);
  EXPECT_EQ(t.devices[0].id, 1);
}

TEST(Traps, StreamInTid) {
  const Timeline t = timeline_of_events(
      event_text("Kernel", "gemm", "1", "2", R"("device":2)",
                 R"("pid":2,"tid":"stream 7")") +
      ",\n" +
      event_text("Kernel", "gemm", "4", "2", R"("device":2,"stream":7)",
                 R"("pid":2,"tid":7)"));
  ASSERT_EQ(t.streams.size(), 1u);
  EXPECT_EQ(t.streams[0].id, 7);
  EXPECT_EQ(t.devices[0].id, 2);
  EXPECT_EQ(count_of(t, Import::stream_unknown), 0);
}

// The autograd profiler's own export: no categories, the device is the tid.
TEST(Traps, AutogradExport) {
  const Timeline t = timeline_of(
      R"([{"name":"mul","ph":"X","ts":1.5,"dur":9,"tid":3,)"
      R"("pid":"CPU functions","args":{}},)"
      R"({"name":"mul_kernel","ph":"X","ts":4,"dur":2,"tid":1,)"
      R"("pid":"CUDA functions","args":{}},)"
      R"({"name":"mul","ph":"s","ts":1.5,"tid":3,"pid":"CPU functions",)"
      R"("id":0,"cat":"cpu_to_cuda","args":{}},)"
      R"({"name":"mul","ph":"f","ts":4,"tid":1,"pid":"CUDA functions",)"
      R"("id":0,"cat":"cpu_to_cuda","args":{}}])");
  ASSERT_EQ(t.host.size(), 1u);
  EXPECT_EQ(t.host.kind[0], HostKind::op);
  EXPECT_EQ(t.threads[0].tid, "3");
  ASSERT_EQ(t.device.size(), 1u);
  EXPECT_EQ(t.device.start_ns[0], 4'000);
  EXPECT_EQ(t.devices[0].id, 1);
}

// The default stream is 0; runtime fills and copies are kernels to the reader.
TEST(Traps, AmdNames) {
  const Timeline t = timeline_of_events(
      event_text("cuda_runtime", "hipLaunchKernel", "1", "2",
                 R"("correlation":5,"kernel":"k")") +
          ",\n" +
          event_text("kernel", "__amd_rocclr_copyBuffer", "4", "2",
                     R"("device":0,"stream":0,"correlation":5)") +
          ",\n" +
          event_text("gpu_memcpy", "Memcpy HtoD (Host -> Device)", "8", "2",
                     R"("device":0,"stream":0,"bytes":1024)"),
      R"("hip_runtime_version":60342133,)");
  EXPECT_EQ(t.host.kind[0], HostKind::api);
  ASSERT_EQ(t.device.size(), 2u);
  EXPECT_EQ(t.streams[0].id, 0);
  EXPECT_EQ(t.device.kind[0], ActivityKind::kernel);
  EXPECT_EQ(t.device.kind[1], ActivityKind::copy);
  EXPECT_EQ(t.device.copy[1], CopyKind::h2d);
  EXPECT_EQ(t.device.host_memory[1], HostMemory::unknown);
  EXPECT_EQ(t.device.bytes[1], 1024);
  EXPECT_EQ(t.metadata.hip_runtime, "60342133");
}

TEST(Traps, AnnotationsOnTheGpuAreNoWork) {
  const Timeline t =
      with_kernel(event_text("gpu_user_annotation", "ProfilerStep#3", "1",
                             "900", R"("device":0,"stream":7)"));
  EXPECT_EQ(t.device.size(), 1u);
  EXPECT_EQ(t.host.size(), 0u);
  EXPECT_EQ(t.last_ns, 7'000);
}

TEST(Traps, SyncRowsAreNoWork) {
  const Timeline t = with_kernel(event_text("cuda_sync", "Stream Sync", "1",
                                            "900", R"("device":0,"stream":7)",
                                            R"("pid":0,"tid":1000007)"));
  EXPECT_EQ(t.device.size(), 1u);
  EXPECT_EQ(t.streams.size(), 1u);
}

TEST(Traps, FlowsCountersAndMetadataRowsHaveNoTime) {
  const Timeline t = with_kernel(
      R"({"ph":"s","id":1,"pid":0,"tid":7,"ts":1,"cat":"ac2g","name":"ac2g"},)"
      R"({"cat":"ac2g","ph":"f","id":9,"pid":0,"tid":7,"ts":900,"bp":"e"},)"
      R"({"ph":"M","name":"process_name","pid":0,"args":{"name":"python"}},)"
      R"({"name":"SM Active","ph":"C","pid":"GPU 0 Counters","ts":900,)"
      R"("args":{"value":1.5}})");
  EXPECT_EQ(t.events, 5);
  EXPECT_EQ(t.host.size(), 0u);
  EXPECT_EQ(t.device.size(), 1u);
  EXPECT_EQ(t.last_ns, 7'000);
}

TEST(Traps, CounterReplayIsNoWork) {
  const Timeline t = with_kernel(
      event_text("cuda_profiler_range", "gemm", "1", "900", R"("flops":NaN)"));
  EXPECT_TRUE(t.counter_replay);
  EXPECT_EQ(t.device.size(), 1u);
  EXPECT_EQ(t.last_ns, 7'000);
}

TEST(Traps, StreamMinusOne) {
  const Timeline t = timeline_of_events(event_text("kernel", "gemm", "1", "2",
                                                   R"("device":0,"stream":-1)",
                                                   R"("pid":0,"tid":1)"));
  EXPECT_EQ(t.streams[0].id, -1);
  EXPECT_EQ(count_of(t, Import::stream_unknown), 1);
}

TEST(Traps, DeviceOfArgsIsSaferThanPid) {
  const Timeline t = timeline_of_events(event_text("kernel", "gemm", "1", "2",
                                                   R"("device":3,"stream":7)",
                                                   R"("pid":123456,"tid":7)"));
  EXPECT_EQ(t.devices[0].id, 3);
}

TEST(Traps, OneCorrelationManyKernels) {
  std::string events = event_text("cuda_runtime", "cudaGraphLaunch", "1", "2",
                                  R"("correlation":5)");
  for (int i = 0; i < 100; ++i)
    events += ",\n" + event_text("kernel", "node", std::to_string(10 + i), "1",
                                 R"("device":0,"stream":7,"correlation":5,)"
                                 R"("graph id":2,"graph node id":1)");
  const Timeline t = timeline_of_events(events);
  ASSERT_EQ(t.device.size(), 100u);
  EXPECT_EQ(t.device.correlation[0], 5u);
  EXPECT_EQ(t.device.correlation[99], 5u);
}

TEST(Traps, OverlapOnOneStreamIsKept) {
  const Timeline t = timeline_of_events(
      event_text("kernel", "a", "1", "9", R"("device":0,"stream":7)") + ",\n" +
      event_text("kernel", "b", "5", "9", R"("device":0,"stream":7)"));
  ASSERT_EQ(t.device.size(), 2u);
  EXPECT_EQ(t.device.end_ns[0], 10'000);
  EXPECT_EQ(t.device.start_ns[1], 5'000);
}

TEST(Traps, OverheadRowsAreTheProfilers) {
  const Timeline t = with_kernel(event_text("overhead", "Buffer Flush", "1",
                                            "9", "", R"("pid":-1,"tid":0)"));
  ASSERT_EQ(t.host.size(), 1u);
  EXPECT_EQ(t.host.kind[0], HostKind::overhead);
}

// Its time is not used: it may lie days away.
TEST(Traps, WindowEnd) {
  const Timeline t = with_kernel(
      R"({"name":"Iteration Start: PyTorch Profiler","ph":"i","s":"g",)"
      R"("pid":"Traces","tid":"Trace PyTorch Profiler","ts":1},)"
      R"({"name":"Record Window End","ph":"i","s":"g","pid":"","tid":"",)"
      R"("ts":99999999999999})");
  EXPECT_TRUE(t.window_end_seen);
  EXPECT_EQ(t.last_ns, 7'000);
  EXPECT_FALSE(
      with_kernel(event_text("cpu_op", "a", "1", "2")).window_end_seen);
}

TEST(Traps, LargeIntegers) {
  const Timeline t = timeline_of_events(event_text(
      "kernel", "gemm", "1", "2",
      R"("addr":18446744073709551615,"huge":99999999999999999999999,)"
      R"("device":0,"stream":7,"correlation":18446744073709551615,)"
      R"("bytes":18446744073709551615)"));
  ASSERT_EQ(t.device.size(), 1u);
  EXPECT_EQ(t.device.correlation[0], UINT64_MAX);
  EXPECT_EQ(t.device.bytes[0], 0);
  EXPECT_EQ(count_of(t, Import::element_dropped), 0);
}

// Each keeps the row and its neighbour, and is counted at its offset.
void expect_repaired(const std::string& name, std::string_view read_as) {
  const std::string broken = event_text("cpu_op", "before", "1", "2") + ",\n" +
                             event_text("cpu_op", name, "3", "4") + ",\n" +
                             event_text("cpu_op", "behind", "5", "6");
  const Timeline t = timeline_of_events(broken);
  ASSERT_EQ(t.host.size(), 3u) << name;
  EXPECT_EQ(host_name(t, 1), read_as);
  EXPECT_EQ(t.host.start_ns[1], 3'000);
  EXPECT_EQ(t.host.end_ns[1], 7'000);
  EXPECT_EQ(host_name(t, 2), "behind");
  EXPECT_EQ(count_of(t, Import::element_repaired), 1) << name;
  EXPECT_EQ(t.imports.of(Import::element_repaired).first_offset,
            trace_text(broken).find(event_text("cpu_op", name, "3", "4")));
}

TEST(Traps, ControlBytes) {
  expect_repaired("a\x01z", "a\x01z");
  expect_repaired("a\tz", "a\tz");
  expect_repaired(std::string("a\0z", 3), std::string_view("a\0z", 3));
}

TEST(Traps, InvalidUtf8) { expect_repaired("a\xffz", "a\xef\xbf\xbdz"); }

TEST(Traps, UnknownEscapes) {
  expect_repaired(R"(C:\Users\Uma)", R"(C:\Users\Uma)");
}

TEST(Traps, StrayQuotes) { expect_repaired(R"(a"b"c)", R"(a"b"c)"); }

// Lines of a log that were written between the events.
TEST(Traps, LogLines) {
  const Timeline t = timeline_of_events(
      event_text("cpu_op", "before", "1", "2") + ",\n" +
      "INFO:2024-01-01 00:00:00 1:1 init.cpp:131] Registering daemon\n" +
      event_text("cpu_op", "behind", "5", "6"));
  ASSERT_EQ(t.host.size(), 2u);
  EXPECT_EQ(host_name(t, 1), "behind");
  EXPECT_GE(count_of(t, Import::element_repaired) +
                count_of(t, Import::element_dropped),
            1);
}

TEST(Traps, BareWords) {
  for (const char* word :
       {"N/A", "NaN", "Infinity", "-Infinity", "nan", "-nan", "inf"}) {
    const Timeline t = with_kernel(
        event_text("cuda_runtime", "cudaLaunchKernel", "1", "2",
                   R"("x":)" + std::string(word) + R"(,"correlation":8)"));
    ASSERT_EQ(t.host.size(), 1u) << word;
    EXPECT_EQ(t.host.correlation[0], 8u) << word;
    EXPECT_EQ(count_of(t, Import::not_a_number), 1) << word;
    EXPECT_EQ(count_of(t, Import::element_dropped), 0) << word;
  }
}

}  // namespace
}  // namespace gpuledger
