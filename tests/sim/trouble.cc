// What goes wrong in a job, and the odd rows that mean nothing.
#include <fmt/format.h>

#include "sim/job.h"

namespace gpuledger::sim {
namespace {

// Each is another kernel: only its first launch loads it.
std::string sigmoid_kernel(size_t number) {
  return fmt::format(
      "void at::native::vectorized_elementwise_kernel<{}, at::native::"
      "sigmoid_kernel_cuda(at::TensorIteratorBase&)::{{lambda()#2}}::"
      "operator()() const::{{lambda()#2}}::operator()() const::"
      "{{lambda(float)#1}}, std::array<char*, 2ul> >(int)",
      number);
}

}  // namespace

void Job::trouble(int64_t index) {
  odd_rows();
  if (scenario_.trouble_every_step == 0 && index != scenario_.trouble_step)
    return;
  trouble_in_frame("train.py(77): collect_garbage",
                   "<built-in function collect>", scenario_.gc_ns,
                   Entry::idle_gc);
  trouble_in_frame("train.py(84): save", "torch/serialization.py(849): save",
                   scenario_.checkpoint_ns, Entry::idle_checkpoint);
  trouble_in_frame("torch/_dynamo/eval_frame.py(574): _fn",
                   "torch/_dynamo/convert_frame.py(1064): __call__",
                   scenario_.jit_ns, Entry::idle_compile);
  if (scenario_.stall_ns > 0) {
    host_.small_op();
    Frame line;
    frame(line, "train.py(97): shuffle_buffer");
    host_.spend(scenario_.stall_ns, Entry::idle_host, Cause::none);
    line.reset();
    host_.small_op();
  }
  if (scenario_.alloc_ns > 0) allocate(scenario_.alloc_ns);
  if (scenario_.load_ns + scenario_.profiler_ns == 0) return;
  host_.between();
  const Host::Scope op(host_, RowKind::op, "aten::sigmoid");
  host_.dispatch();
  if (scenario_.load_ns > 0) {
    loaded_.push_back(sigmoid_kernel(loaded_.size() + 1));
    host_.launch_loading(
        work(loaded_.back(), Entry::compute_elementwise, 50, 0),
        scenario_.load_ns);
  } else {  // a kernel that is long loaded
    host_.launch_profiled(work(kAddKernel, Entry::compute_elementwise, 50, 0),
                          scenario_.profiler_ns);
  }
  host_.spend(1'000);
}

// An operator ends as the frame begins and another begins as it ends, so no
// stretch of the thread reaches beyond the frame.
void Job::trouble_in_frame(std::string line, std::string function,
                           int64_t dur_ns, Entry entry) {
  if (dur_ns == 0) return;
  host_.small_op();
  {
    Frame outer, inner;
    frame(outer, std::move(line));
    const Host::Owner owner(host_, entry, Cause::none);
    frame(inner, std::move(function));
    host_.spend(dur_ns);
  }
  host_.small_op();
}

void Job::allocate(int64_t dur_ns) {
  host_.between();
  const Host::Scope op(host_, RowKind::op, "aten::empty");
  host_.dispatch();
  host_.call("cudaMalloc", dur_ns, Entry::idle_alloc);
  host_.spend(1'000);
}

void Job::odd_rows() {
  for (int64_t i = 0; i < scenario_.zero_memsets; ++i) {
    host_.between();
    const Host::Scope op(host_, RowKind::op, "aten::zero_");
    host_.dispatch();
    host_.call("cudaMemsetAsync", 2'000, Entry::idle_launch);
  }
  if (scenario_.captured_launches == 0) return;
  host_.between();
  const Host::Scope op(host_, RowKind::op, "aten::_capture");
  host_.call("cudaStreamBeginCapture", 5'000, Entry::idle_launch);
  for (int64_t i = 0; i < scenario_.captured_launches; ++i) {
    host_.dispatch();
    host_.launch_captured();
  }
  host_.call("cudaStreamEndCapture", 5'000, Entry::idle_launch);
}

}  // namespace gpuledger::sim
