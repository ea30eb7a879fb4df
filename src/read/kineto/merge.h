// Appends batches to a timeline, in file order: names, threads and streams get
// the numbers of the whole input.
#pragma once

#include <unordered_map>

#include "base/string_pool.h"
#include "read/kineto/batch.h"
#include "read/reader.h"

namespace gpuledger {

class TimelineMerger {
 public:
  // Rows outside [from, to) of the trace's own clock are left out.
  TimelineMerger(Timeline& timeline, int64_t from_ns, int64_t to_ns)
      : timeline_(timeline), from_ns_(from_ns), to_ns_(to_ns) {}

  void add(Batch& batch);
  // After the last batch: device rows that start at zero are real only if
  // everything starts about there.
  void finish();
  // The earliest start and latest end of all rows, kept or not.
  int64_t first_ns() const { return first_ns_; }
  int64_t last_ns() const { return last_ns_; }
  bool any_row() const { return first_ns_ <= last_ns_; }
  // Were times written as whole microseconds only?
  bool whole_us_only() const { return times_ > 0 && times_ == whole_us_times_; }
  bool any_trace_event() const { return any_trace_event_; }
  // What is held besides the timeline's tables.
  size_t held_bytes() const;

 private:
  void add_side_tables(Batch& batch);
  void add_device_rows(Batch& batch);
  bool keeps(int64_t start_ns, int64_t end_ns);
  NameId name(Batch& batch, NameId local);
  uint32_t thread(Batch& batch, uint32_t track);
  uint32_t stream(Batch& batch, uint32_t track);
  uint32_t process_index(std::string_view pid);
  uint32_t device_index(int64_t id);

  Timeline& timeline_;
  int64_t from_ns_, to_ns_;
  int64_t first_ns_ = INT64_MAX, last_ns_ = INT64_MIN;
  int64_t times_ = 0, whole_us_times_ = 0;
  bool any_trace_event_ = false;
  DeviceRows at_zero_;
  std::vector<uint32_t> moved_to_;  // of the batch's host rows, or kNoRow
  // Their ids are the indices of the timeline's tables.
  StringPool threads_, streams_, processes_;
  std::unordered_map<int64_t, uint32_t> devices_;
};

}  // namespace gpuledger
