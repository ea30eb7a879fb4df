#include "sim/trace_writer.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace gpuledger::sim {
namespace {

constexpr size_t kFlushBytes = 16u << 20;
// The recorder counts from a base that it rounds down to about three months.
constexpr int64_t kBase_ns = 1'696'186'170'000'000'000;
constexpr int64_t kAfterBase_ns = 4'131'250'493'553'000;

void put(std::string& out, int64_t number) {
  const fmt::format_int text(number);
  out.append(text.data(), text.size());
}

int64_t floor_us(int64_t ns) {
  return ns >= 0 ? ns / 1000 : -((-ns + 999) / 1000);
}

std::string_view category_of(Entry entry, bool old_dialect) {
  if (entry == Entry::copy_set) return old_dialect ? "Memset" : "gpu_memset";
  if (is_copy(entry)) return old_dialect ? "Memcpy" : "gpu_memcpy";
  return old_dialect ? "Kernel" : "kernel";
}

}  // namespace

TraceWriter::TraceWriter(std::string path, TraceFormat format)
    : path_(std::move(path)), format_(format) {}

TraceWriter::~TraceWriter() {
  if (file_ != nullptr) std::fclose(file_);
}

Result<bool> TraceWriter::open() {
  file_ = std::fopen(path_.c_str(), "wb");
  if (file_ == nullptr)
    return fail(ErrorCode::io,
                fmt::format("{}: {}", path_, std::strerror(errno)));
  header();
  return true;
}

int64_t TraceWriter::epoch_ns() const { return kBase_ns + kAfterBase_ns; }

void TraceWriter::header() {
  hosts_ += "{\n  \"schemaVersion\": 1,\n";
  device_properties();
  if (!format_.old_dialect) {
    hosts_ +=
        "  \"cupti_version\": 24,\n  \"cuda_runtime_version\": 12040,\n"
        "  \"cuda_driver_version\": 12080,\n"
        "  \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": 0, "
        "\"world_size\": 2, \"pg_count\": 1, \"pg_config\": [{\"pg_name\": "
        "\"0\", \"pg_desc\": \"default_pg\", \"backend_config\": "
        "\"cuda:nccl\", \"pg_size\": 2, \"ranks\": [0, 1]}], "
        "\"nccl_version\": \"2.21.5\"},\n  \"record_shapes\": 1,\n";
    if (format_.stacks) hosts_ += "  \"with_stack\": 1,\n";
    if (format_.base_time_first && !format_.integer_us)
      hosts_ += fmt::format(
          "  \"displayTimeUnit\": \"ms\",\n  \"baseTimeNanoseconds\": {},\n",
          kBase_ns);
  }
  hosts_ += "  \"traceEvents\": [\n";
}

void TraceWriter::device_properties() {
  hosts_ += "  \"deviceProperties\": [\n";
  for (int64_t d = 0; d < format_.devices; ++d) {
    hosts_ += fmt::format(
        "    {{\n      \"id\": {}, \"name\": \"NVIDIA A100-SXM4-40GB\", "
        "\"totalGlobalMem\": 42297524224,\n      \"computeMajor\": 8, "
        "\"computeMinor\": 0,\n      \"maxThreadsPerBlock\": 1024, "
        "\"maxThreadsPerMultiprocessor\": 2048,\n      "
        "\"regsPerBlock\": 65536, \"warpSize\": 32,\n      "
        "\"sharedMemPerBlock\": 49152, \"numSms\": 108\n    }}{}\n",
        d, d + 1 < format_.devices ? "," : "");
  }
  hosts_ += "  ],\n";
}

void TraceWriter::time(std::string& out, int64_t ns) const {
  if (format_.integer_us) {
    put(out, floor_us(ns + kBase_ns + kAfterBase_ns));
    return;
  }
  const int64_t from_ns = ns + kAfterBase_ns;
  put(out, from_ns / 1000);
  const int64_t part = from_ns % 1000;
  const char digits[] = {'.', static_cast<char>('0' + part / 100),
                         static_cast<char>('0' + part / 10 % 10),
                         static_cast<char>('0' + part % 10)};
  out.append(digits, sizeof digits);
}

void TraceWriter::times(std::string& out, int64_t start_ns, int64_t end_ns) {
  if (start_ns < first_ns_) first_ns_ = start_ns;
  out += ",\n    \"ts\": ";
  time(out, start_ns);
  out += ", \"dur\": ";
  if (format_.integer_us) {
    put(out, floor_us(end_ns) - floor_us(start_ns));
    return;
  }
  const int64_t dur_ns = end_ns - start_ns;
  put(out, dur_ns / 1000);
  const int64_t part = dur_ns % 1000;
  const char digits[] = {'.', static_cast<char>('0' + part / 100),
                         static_cast<char>('0' + part / 10 % 10),
                         static_cast<char>('0' + part % 10)};
  out.append(digits, sizeof digits);
}

void TraceWriter::place(std::string& out, int64_t pid, int64_t tid) {
  out += "\"pid\": ";
  put(out, pid);
  out += format_.old_dialect ? ", \"tid\": \"" : ", \"tid\": ";
  put(out, tid);
  if (format_.old_dialect) out += '"';
}

void TraceWriter::head(std::string& out, std::string_view category,
                       std::string_view name, int64_t pid, int64_t tid,
                       int64_t start_ns, int64_t end_ns) {
  out += "  {\n    \"ph\": \"X\", \"cat\": \"";
  out += category;
  out += "\", \"name\": \"";
  out += name;
  out += "\", ";
  place(out, pid, tid);
  times(out, start_ns, end_ns);
}

void TraceWriter::host(const HostRow& row) {
  if (format_.old_dialect && row.kind == RowKind::frame) return;
  std::string& out = hosts_;
  std::string_view category = "Operator";
  if (!format_.old_dialect) {
    category = row.kind == RowKind::op           ? "cpu_op"
               : row.kind == RowKind::annotation ? "user_annotation"
                                                 : "python_function";
  }
  head(out, category, row.name, row.pid, row.tid, row.start_ns, row.end_ns);
  out += ",\n    \"args\": {\n      \"External id\": ";
  put(out, row.id);
  if (!format_.old_dialect) {
    out += ",\"Record function id\": 0";
    out += row.args;
    out += ", \"Ev Idx\": ";
    put(out, event_++);
  }
  out += "\n    }\n  },\n";
  flush();
}

void TraceWriter::call(const CallRow& row) {
  std::string& out = gpus_;
  const bool driver = row.name.substr(0, 4) != "cuda";
  head(out,
       format_.old_dialect ? "Runtime"
       : driver            ? "cuda_driver"
                           : "cuda_runtime",
       row.name, row.pid, row.tid, row.start_ns, row.end_ns);
  out += ",\n    \"args\": {\n      ";
  if (!format_.old_dialect) {
    out += "\"External id\": ";
    put(out, row.id);
    out += ", ";
  }
  out += "\"cbid\": 211, \"correlation\": ";
  put(out, row.correlation);
  if (format_.old_dialect) {
    out += ", \"external id\": ";
    put(out, row.id);
  }
  out += "\n    }\n  },\n";
  if (row.has_activity)
    flow(out, 's', row.correlation, row.pid, row.tid, row.start_ns, false);
  flush();
}

void TraceWriter::device(const DeviceRow& row) {
  std::string& out = gpus_;
  out += "  {\n    \"ph\": \"X\", \"cat\": \"";
  out += category_of(row.entry, format_.old_dialect);
  out += "\", \"name\": \"";
  out += row.name;
  out += "\", \"pid\": ";
  put(out, row.device);
  out += format_.old_dialect ? ", \"tid\": \"stream " : ", \"tid\": ";
  put(out, row.stream);
  if (format_.old_dialect) out += '"';
  if (row.timed)
    times(out, row.start_ns, row.end_ns);
  else
    out += ",\n    \"ts\": 0.000, \"dur\": 0.000";
  out += ",\n    \"args\": {\n      ";
  out += format_.old_dialect ? "\"external id\": " : "\"External id\": ";
  put(out, row.id);
  if (!is_copy(row.entry)) out += ", \"queued\": 0";
  out += ", \"device\": ";
  put(out, row.device);
  out += ", \"context\": 1,\n      \"stream\": ";
  put(out, row.stream);
  out += ", \"correlation\": ";
  put(out, row.correlation);
  if (is_copy(row.entry)) {
    out += ", \"bytes\": ";
    put(out, row.bytes);
    out += fmt::format(", \"memory bandwidth (GB/s)\": {}",
                       static_cast<double>(row.bytes) /
                           static_cast<double>(row.end_ns - row.start_ns));
  } else {
    out +=
        ",\n      \"registers per thread\": 64, \"shared memory\": 16384,"
        "\n      \"blocks per SM\": 4.740741, \"warps per SM\": 37.925926,"
        "\n      \"grid\": [512, 1, 1], \"block\": [256, 1, 1],"
        "\n      \"est. achieved occupancy %\": 59";
  }
  out += row.args;
  out += "\n    }\n  },\n";
  if (row.launched && row.timed)
    flow(out, 'f', row.correlation, row.device, row.stream, row.start_ns, true);
  flush();
}

void TraceWriter::flow(std::string& out, char phase, int64_t id, int64_t pid,
                       int64_t tid, int64_t ns, bool device) {
  out += "  {\n    \"ph\": \"";
  out += phase;
  out += "\", \"id\": ";
  put(out, id);
  out += ", \"pid\": ";
  put(out, pid);
  out += ", \"tid\": ";
  const bool quoted = device && format_.old_dialect;
  if (quoted) out += "\"stream ";
  put(out, tid);
  if (quoted) out += '"';
  out += ", \"ts\": ";
  time(out, ns);
  out += format_.old_dialect ? ",\n    \"cat\": \"async\", \"name\": \"launch\""
                             : ",\n    \"cat\": \"ac2g\", \"name\": \"ac2g\"";
  if (phase == 'f') out += ", \"bp\": \"e\"";
  out += "\n  },\n";
}

void TraceWriter::device_annotation(std::string_view name, int64_t device,
                                    int64_t start_ns, int64_t end_ns,
                                    int64_t id) {
  if (format_.old_dialect) return;
  head(gpus_, "gpu_user_annotation", name, device, 7, start_ns - 1, end_ns + 1);
  gpus_ += ",\n    \"args\": {\n      \"External id\": ";
  put(gpus_, id);
  gpus_ += "\n    }\n  },\n";
}

void TraceWriter::overhead(std::string_view name, int64_t start_ns,
                           int64_t end_ns) {
  head(hosts_, "overhead", name, -1, 0, start_ns, end_ns);
  hosts_ += "\n  },\n";
}

void TraceWriter::metadata(std::string_view name, int64_t pid,
                           std::string_view value) {
  hosts_ +=
      fmt::format("  {{\n    \"name\": \"{}\", \"ph\": \"M\", \"ts\": ", name);
  time(hosts_, 0);
  hosts_ += fmt::format(
      ", \"pid\": {}, \"tid\": 0,\n    \"args\": {{\n      {}\n    }}\n  }},\n",
      pid, value);
}

Result<bool> TraceWriter::finish(int64_t start_ns, int64_t end_ns,
                                 const std::vector<int64_t>& pids) {
  hosts_ += gpus_;
  gpus_.clear();
  for (int64_t pid : pids) {
    metadata("process_name", pid, "\"name\": \"python\"");
    metadata("process_labels", pid, "\"labels\": \"CPU\"");
    metadata("process_sort_index", pid, fmt::format("\"sort_index\": {}", pid));
  }
  for (int64_t d = 0; d < format_.devices; ++d) {
    metadata("process_name", d, "\"name\": \"python\"");
    metadata("process_labels", d, fmt::format("\"labels\": \"GPU {}\"", d));
    metadata("process_sort_index", d,
             fmt::format("\"sort_index\": {}", 5'000'000 + d));
  }
  hosts_ += "  {\n    \"ph\": \"X\", \"cat\": \"Trace\"";
  times(hosts_, start_ns, end_ns);
  hosts_ +=
      ",\n    \"pid\": \"Spans\", \"tid\": \"PyTorch Profiler\",\n    "
      "\"name\": \"PyTorch Profiler (0)\",\n    \"args\": {\n      "
      "\"Op count\": 0\n    }\n  },\n  {\n    \"name\": \"Iteration Start: "
      "PyTorch Profiler\", \"ph\": \"i\", \"s\": \"g\",\n    \"pid\": "
      "\"Traces\", \"tid\": \"Trace PyTorch Profiler\", \"ts\": ";
  time(hosts_, start_ns);
  hosts_ +=
      "\n  },\n  {\n    \"name\": \"Record Window End\", \"ph\": \"i\", "
      "\"s\": \"g\",\n    \"pid\": \"\", \"tid\": \"\", \"ts\": ";
  time(hosts_, end_ns);
  hosts_ += "\n  }\n  ]";
  if (!format_.old_dialect) {
    hosts_ += ",\n  \"traceName\": \"trace.json\"";
    if (!format_.base_time_first && !format_.integer_us)
      hosts_ += fmt::format(
          ",\n  \"displayTimeUnit\": \"ms\",\n  \"baseTimeNanoseconds\": {}",
          kBase_ns);
  }
  hosts_ += "\n}\n";
  if (std::fwrite(hosts_.data(), 1, hosts_.size(), file_) != hosts_.size())
    failed_ = true;
  written_ += held();
  hosts_.clear();
  const bool closed = std::fclose(file_) == 0;
  file_ = nullptr;
  if (failed_ || !closed)
    return fail(ErrorCode::io, path_ + ": cannot be written");
  return true;
}

void TraceWriter::flush() {
  if (hosts_.size() + gpus_.size() < kFlushBytes) return;
  for (std::string* section : {&hosts_, &gpus_}) {
    if (std::fwrite(section->data(), 1, section->size(), file_) !=
        section->size())
      failed_ = true;
    written_ += static_cast<int64_t>(section->size());
    section->clear();
  }
}

}  // namespace gpuledger::sim
