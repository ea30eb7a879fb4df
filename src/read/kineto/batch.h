// The rows of one window of text, as one worker reads them: names and tracks
// have numbers of the batch's own and are matched to the timeline's when
// batches are merged in file order. So the result does not depend on who read
// what.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/string_pool.h"
#include "model/timeline.h"
#include "read/json/elements.h"
#include "read/kineto/category.h"
#include "read/kineto/event.h"

namespace gpuledger {

struct Batch {
  // `thread` and `stream` hold a track: an index into `tracks`.
  HostRows host;
  DeviceRows device;
  // Their host_row counts within the batch.
  std::vector<Collective> collectives;
  std::vector<CallStack> call_stacks;
  // These grow from window to window; so do their numbers in the timeline.
  StringPool names;
  StringPool tracks;  // a thread "PID\nTID", a stream "DEVICE\nSTREAM"
  std::vector<uint32_t> name_ids, thread_ids, stream_ids;  // or kNoRow
  ImportStats imports;
  int64_t events = 0;
  int64_t times = 0, whole_us_times = 0;
  bool window_end_seen = false, counter_replay = false;
  bool any_trace_event = false;  // some element had a phase

  void clear();  // all but names and tracks
  size_t held_bytes() const;
};

class BatchReader {
 public:
  // Reads a window's elements into `batch`, which is cleared first.
  void read(const ElementWindow& window, Batch& batch);
  size_t held_bytes() const {
    return repaired_.capacity() + parser_.held_bytes();
  }

 private:
  void add_element(std::string_view text, uint64_t offset, bool suspect);
  bool repair(std::string_view text, uint64_t offset);
  void add_event(uint64_t offset);
  void add_host(RowKind kind, int64_t start_ns, int64_t end_ns);
  void add_device(RowKind kind, int64_t start_ns, int64_t end_ns);
  bool read_span(uint64_t offset, bool on_device, int64_t& start_ns,
                 int64_t& end_ns);
  uint32_t track(std::string_view major, std::string_view minor);

  EventParser parser_;
  Event event_;
  Batch* batch_ = nullptr;
  std::string repaired_;
  std::string track_key_;  // of the last row's track
  uint32_t track_ = 0;
};

}  // namespace gpuledger
