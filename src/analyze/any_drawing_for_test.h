// Small timelines of every kind, however wild, for properties that hold for
// all of them. To be called inside a RapidCheck property.
#pragma once

#include <rapidcheck.h>

#include <string_view>

#include "analyze/timeline_for_test.h"

namespace gpuledger {

// Names that take every path: each kind of call, frame and kernel.
inline constexpr std::string_view kAnyOps[] = {"aten::mm", "aten::copy_",
                                               "c10d::allreduce_"};
inline constexpr std::string_view kAnyApis[] = {"cudaLaunchKernel",
                                                "cudaGraphLaunch",
                                                "cudaMemcpyAsync",
                                                "cudaMemcpy",
                                                "cudaMemsetAsync",
                                                "cudaMalloc",
                                                "cudaFree",
                                                "cudaDeviceSynchronize",
                                                "cuModuleLoadData",
                                                "cudaStreamBeginCapture",
                                                "cudaStreamEndCapture",
                                                "hipLaunchKernel"};
inline constexpr std::string_view kAnyRanges[] = {
    "ProfilerStep#1", "ProfilerStep#2", "Optimizer.step#SGD.step", "my part",
    "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"};
inline constexpr std::string_view kAnyFrames[] = {
    "train.py(7): main", "torch/serialization.py(944): save",
    "torch/profiler/profiler.py(790): step", "<built-in function collect>"};
inline constexpr std::string_view kAnyOverheads[] = {"Activity Buffer Request",
                                                     "Lazy Function Loading"};
inline constexpr std::string_view kAnyKernels[] = {
    "ampere_sgemm_128x64_tn", "ncclDevKernel_AllReduce", "elementwise_kernel",
    "adam"};

template <size_t n>
std::string_view pick_any(const std::string_view (&names)[n]) {
  return names[*rc::gen::inRange<size_t>(0, n)];
}

// Times of every scale that the thresholds tell apart; ends may be starts.
inline Interval any_interval() {
  const int64_t scale = *rc::gen::element<int64_t>(1, 1'000, 100'000);
  const int64_t start = *rc::gen::inRange<int64_t>(0, 200) * scale;
  return {start, start + *rc::gen::inRange<int64_t>(0, 40) * scale};
}

inline void draw_any_host_row(Drawing& d) {
  const auto tid = *rc::gen::inRange<uint32_t>(0, 3);
  d.thread(tid, tid == 2 ? 1 : 0);
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      d.op(pick_any(kAnyOps), any_interval());
      break;
    case 1:
      d.range(pick_any(kAnyRanges), any_interval());
      break;
    case 2:
      d.frame(pick_any(kAnyFrames), any_interval());
      break;
    case 3:
      d.overhead(pick_any(kAnyOverheads), any_interval());
      break;
    default:
      d.api(pick_any(kAnyApis), any_interval(),
            *rc::gen::inRange<uint64_t>(0, 12));
  }
}

inline void draw_any_device_row(Drawing& d) {
  d.stream(*rc::gen::inRange(7, 10), *rc::gen::inRange<uint32_t>(0, 2));
  const auto correlation = *rc::gen::inRange<uint64_t>(0, 12);
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      d.copy(*rc::gen::element(CopyKind::h2d, CopyKind::d2h),
             *rc::gen::element(HostMemory::pageable, HostMemory::pinned),
             any_interval(), correlation);
      break;
    case 1:
      d.set(any_interval(), correlation);
      break;
    default:
      d.kernel(pick_any(kAnyKernels), any_interval(), correlation);
  }
}

inline Drawing any_drawing() {
  Drawing d;
  for (int i = *rc::gen::inRange(0, 30); i > 0; --i) draw_any_host_row(d);
  for (int i = *rc::gen::inRange(1, 30); i > 0; --i) draw_any_device_row(d);
  return d;
}

}  // namespace gpuledger
