// Writes what a PyTorch profiler would have recorded, in one of its dialects.
// Rows may come in any order. Like the real recorder it writes section by
// section: host rows first, then calls and device rows; a long run repeats the
// two sections, so memory stays bounded.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sim/activity.h"

namespace gpuledger::sim {

struct TraceFormat {
  bool old_dialect = false;  // 2021: other categories, no base time
  bool integer_us = false;   // else microseconds with three decimals
  bool base_time_first = false;
  bool stacks = false;
  int64_t devices = 1;
};

enum class RowKind : uint8_t { op, annotation, frame };

struct HostRow {
  RowKind kind = RowKind::op;
  std::string_view name;
  std::string_view args;  // further members: `, "key": value`
  int64_t pid = 0, tid = 0, start_ns = 0, end_ns = 0, id = 0;
};

struct CallRow {
  std::string_view name;
  int64_t pid = 0, tid = 0, start_ns = 0, end_ns = 0, correlation = 0, id = 0;
  bool has_activity = false;
};

struct DeviceRow {
  std::string_view name;
  std::string_view args;
  Entry entry = Entry::compute_other;
  int64_t device = 0, stream = 0, start_ns = 0, end_ns = 0;
  int64_t correlation = 0, id = 0, bytes = 0;
  bool launched = true;  // its call is in the file
  bool recorded = true;  // else the recorder lost the row
  bool timed = true;     // else it lost the times
};

class TraceWriter {
 public:
  TraceWriter(std::string path, TraceFormat format);
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  Result<bool> open();
  void host(const HostRow& row);
  void call(const CallRow& row);
  void device(const DeviceRow& row);
  void device_annotation(std::string_view name, int64_t device,
                         int64_t start_ns, int64_t end_ns, int64_t id);
  void overhead(std::string_view name, int64_t start_ns, int64_t end_ns);
  Result<bool> finish(int64_t start_ns, int64_t end_ns,
                      const std::vector<int64_t>& pids);

  int64_t bytes() const { return written_ + held(); }
  int64_t first_ns() const { return first_ns_; }
  // Nanoseconds since the epoch at simulated time 0.
  int64_t epoch_ns() const;

 private:
  int64_t held() const {
    return static_cast<int64_t>(hosts_.size() + gpus_.size());
  }
  void header();
  void device_properties();
  void head(std::string& out, std::string_view category, std::string_view name,
            int64_t pid, int64_t tid, int64_t start_ns, int64_t end_ns);
  void place(std::string& out, int64_t pid, int64_t tid);
  void time(std::string& out, int64_t ns) const;
  void times(std::string& out, int64_t start_ns, int64_t end_ns);
  void flow(std::string& out, char phase, int64_t id, int64_t pid, int64_t tid,
            int64_t ns, bool device);
  void metadata(std::string_view name, int64_t pid, std::string_view value);
  void flush();

  std::string path_;
  TraceFormat format_;
  std::FILE* file_ = nullptr;
  std::string hosts_, gpus_;
  int64_t written_ = 0, first_ns_ = kNever, event_ = 0;
  bool failed_ = false;
};

}  // namespace gpuledger::sim
