// Hand-made timelines for tests: rows are drawn one by one, in any order, and
// each test reads like a picture of what the host and the device did.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/intervals.h"
#include "model/timeline.h"

namespace gpuledger {

constexpr int64_t operator""_ns(unsigned long long n) {
  return static_cast<int64_t>(n);
}
constexpr int64_t operator""_us(unsigned long long n) {
  return static_cast<int64_t>(n) * 1'000;
}
constexpr int64_t operator""_ms(unsigned long long n) {
  return static_cast<int64_t>(n) * 1'000'000;
}

class Drawing {
 public:
  Drawing() {
    thread(0);
    stream(7);
  }

  // The rows that follow are on this thread, this stream.
  Drawing& thread(uint32_t tid, uint32_t process = 0) {
    while (made_.processes.size() <= process)
      made_.processes.push_back(
          {100 + static_cast<int64_t>(made_.processes.size())});
    thread_ = find_or_add(
        made_.threads,
        [&](const Thread& t) {
          return t.process == process && t.tid == std::to_string(tid);
        },
        Thread{process, std::to_string(tid)});
    return *this;
  }
  Drawing& stream(int64_t id, uint32_t device = 0) {
    while (made_.devices.size() <= device) {
      Device added;
      added.id = static_cast<int64_t>(made_.devices.size());
      made_.devices.push_back(added);
    }
    stream_ = find_or_add(
        made_.streams,
        [&](const Stream& s) { return s.device == device && s.id == id; },
        Stream{device, id});
    return *this;
  }

  Drawing& op(std::string_view name, Interval when) {
    return host(HostKind::op, name, when);
  }
  Drawing& api(std::string_view name, Interval when,
               uint64_t correlation = kNoCorrelation) {
    return host(HostKind::api, name, when, correlation);
  }
  Drawing& range(std::string_view name, Interval when) {
    return host(HostKind::range, name, when);
  }
  Drawing& frame(std::string_view name, Interval when) {
    return host(HostKind::frame, name, when);
  }
  Drawing& overhead(std::string_view name, Interval when) {
    return host(HostKind::overhead, name, when);
  }

  // Device rows; without a correlation no launch record points at them.
  Drawing& kernel(std::string_view name, Interval when,
                  uint64_t correlation = kNoCorrelation) {
    return device(ActivityKind::kernel, name, when, correlation);
  }
  Drawing& copy(CopyKind direction, HostMemory memory, Interval when,
                uint64_t correlation = kNoCorrelation, int64_t bytes = 4096) {
    return device(ActivityKind::copy, "Memcpy", when, correlation, direction,
                  memory, bytes);
  }
  Drawing& set(Interval when, uint64_t correlation = kNoCorrelation) {
    return device(ActivityKind::set, "Memset", when, correlation);
  }

  // A call and the one activity that it launches.
  Drawing& launch(std::string_view kernel_name, Interval call, Interval when) {
    api("cudaLaunchKernel", call, ++correlation_);
    return kernel(kernel_name, when, correlation_);
  }
  Drawing& launch_copy(CopyKind direction, HostMemory memory, Interval call,
                       Interval when, int64_t bytes = 4096,
                       std::string_view call_name = "cudaMemcpyAsync") {
    api(call_name, call, ++correlation_);
    return copy(direction, memory, when, correlation_, bytes);
  }
  Drawing& launch_set(Interval call, Interval when) {
    api("cudaMemsetAsync", call, ++correlation_);
    return set(when, correlation_);
  }

  // For what a test sets beyond rows: metadata, imports, truncation.
  Timeline& edit() { return made_; }

  // The timeline as a reader hands it over: in the order drawn.
  Timeline timeline() const {
    Timeline timeline = made_;
    rebuild_names(timeline);
    int64_t first = INT64_MAX, last = INT64_MIN;
    const auto span = [&](const auto& rows) {
      for (size_t i = 0; i < rows.size(); ++i) {
        first = std::min(first, rows.start_ns[i]);
        last = std::max(last, rows.end_ns[i]);
      }
    };
    span(timeline.host);
    span(timeline.device);
    timeline.origin_ns = timeline.first_ns = first;
    timeline.last_ns = last;
    timeline.events =
        static_cast<int64_t>(timeline.host.size() + timeline.device.size());
    return timeline;
  }

 private:
  template <class Row, class Is>
  static uint32_t find_or_add(std::vector<Row>& rows, Is is, Row added) {
    const auto it = std::find_if(rows.begin(), rows.end(), is);
    const auto index = static_cast<uint32_t>(it - rows.begin());
    if (it == rows.end()) rows.push_back(std::move(added));
    return index;
  }

  Drawing& host(HostKind kind, std::string_view name, Interval when,
                uint64_t correlation = kNoCorrelation) {
    made_.host.push(when.start, when.end, made_.names.intern(name), thread_,
                    kind, correlation);
    return *this;
  }
  Drawing& device(ActivityKind kind, std::string_view name, Interval when,
                  uint64_t correlation, CopyKind copy = CopyKind::none,
                  HostMemory memory = HostMemory::none, int64_t bytes = 0) {
    made_.device.push(when.start, when.end, made_.names.intern(name), stream_,
                      kind, copy, memory, correlation, bytes);
    return *this;
  }

  // The pool's index refers into its own texts: a copy needs an index anew.
  void rebuild_names(Timeline& timeline) const {
    timeline.names = StringPool();
    for (NameId id = 0; id < made_.names.size(); ++id)
      timeline.names.intern(made_.names.text(id));
  }

  Timeline made_;
  uint32_t thread_ = 0, stream_ = 0;
  uint64_t correlation_ = 1'000'000;  // of launch*(); tests number from 1
};

}  // namespace gpuledger
