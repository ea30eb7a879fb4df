// The host side of one process: one clock, because its threads hand over to
// each other; rows open and close on the thread that runs at that moment.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/world.h"

namespace gpuledger::sim {

// A piece of device work that a call starts.
struct Work {
  std::string_view name;
  Entry entry = Entry::compute_other;
  int64_t dur_ns = 0;
  int32_t device = 0, stream = 0;
  int64_t bytes = 0;
  std::string_view args;
};

class Host {
 public:
  Host(World& world, int32_t process);

  int64_t now_ns() const { return now_ns_; }
  int64_t pid() const { return pid_; }
  int32_t process() const { return process_; }
  // Device calls that put work on the device so far.
  int64_t launches() const { return launches_; }

  // An open row; it is written when the scope ends.
  class Scope {
   public:
    Scope(Host& host, RowKind kind, std::string name, std::string args = {});
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Host& host_;
    RowKind kind_;
    std::string name_, args_;
    int64_t start_ns_, tid_, id_, outer_id_;
  };

  // All time inside belongs to `entry`, unless an outer owner has it.
  class Owner {
   public:
    Owner(Host& host, Entry entry, Cause cause);
    ~Owner();
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;

   private:
    Host& host_;
    bool outermost_;
  };

  // Rows of the scope lie on the autograd thread.
  class Autograd {
   public:
    explicit Autograd(Host& host) : host_(host), outer_(host.tid_) {
      host.tid_ = host.pid_ + 187;
    }
    ~Autograd() { host_.tid_ = outer_; }
    Autograd(const Autograd&) = delete;
    Autograd& operator=(const Autograd&) = delete;

   private:
    Host& host_;
    int64_t outer_;
  };

  // Lets time pass. Mean durations get the scenario's jitter.
  void spend(int64_t dur_ns, Entry entry = Entry::idle_launch,
             Cause cause = Cause::launches);
  void between();   // the interpreter between two operators
  void dispatch();  // the framework inside an operator
  // A tiny operator on the CPU.
  void small_op(std::string_view name = "aten::empty");

  // A call that puts no work on the device.
  void call(std::string_view name, int64_t dur_ns, Entry entry,
            Cause cause = Cause::none);
  // `late`: the work never starts before the call has returned.
  void launch(const Work& work, std::string_view name = "cudaLaunchKernel",
              bool late = false);
  // A launch whose call first loads the kernel, or in which the profiler stops
  // the thread.
  void launch_loading(const Work& work, int64_t load_ns);
  void launch_profiled(const Work& work, int64_t overhead_ns);
  // One call, many kernels; only the first `recorded` reach the file.
  void launch_graph(const std::vector<Work>& nodes, size_t recorded);
  // A copy from pageable memory that keeps the host until it is almost over.
  void copy_blocking(const Work& work, Cause cause);
  // A launch under stream capture: nothing runs.
  void launch_captured();
  // Waits for a stream or the whole device.
  void wait_stream(int32_t device, int32_t stream, Cause cause);
  void wait_device(int32_t device, Cause cause);
  // Work that was launched before the recording began.
  void carry_over(const Work& work);
  // `stream` goes on after what `other` holds now.
  void order_streams(int32_t device, int32_t stream, int32_t other);

 private:
  struct Call {
    std::string_view name;
    int64_t start_ns, end_ns, correlation;
  };
  Call begin_call(std::string_view name);
  void end_call(const Call& call, bool has_activity);
  // Puts `work` on its stream no earlier than `ready_ns`; returns its times.
  Activity place(const Work& work, const Call& call, int64_t ready_ns);
  void add(const Activity& activity, const Work& work, const Call& call,
           bool recorded = true);
  int64_t ready_ns(const Call& call, bool late);
  void wait_for_queue(Call& call);
  void wait_until(std::string_view name, int64_t end_ns, Cause cause);
  int32_t stream_index(const Work& work) const;

  World& world_;
  int32_t process_;
  int64_t pid_, tid_;
  int64_t now_ns_ = 0, launches_ = 0, correlation_, id_ = 0;
  bool owned_ = false;
  Entry owner_ = Entry::idle_launch;
  Cause owner_cause_ = Cause::none;
  std::deque<int64_t> queued_ns_;  // starts of launched, unstarted calls
};

}  // namespace gpuledger::sim
