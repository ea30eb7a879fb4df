// For any timeline, however wild: the accounts of every device sum to the time
// that is asked for, and the pieces stand in order and leave no hole.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "analyze/book_for_test.h"

namespace gpuledger {
namespace {

// Names that take every path: each kind of call, frame and kernel.
constexpr std::string_view kOps[] = {"aten::mm", "aten::copy_",
                                     "c10d::allreduce_"};
constexpr std::string_view kApis[] = {"cudaLaunchKernel",
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
constexpr std::string_view kRanges[] = {
    "ProfilerStep#1", "ProfilerStep#2", "Optimizer.step#SGD.step", "my part",
    "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"};
constexpr std::string_view kFrames[] = {
    "train.py(7): main", "torch/serialization.py(944): save",
    "torch/profiler/profiler.py(790): step", "<built-in function collect>"};
constexpr std::string_view kOverheads[] = {"Activity Buffer Request",
                                           "Lazy Function Loading"};
constexpr std::string_view kKernels[] = {"ampere_sgemm_128x64_tn",
                                         "ncclDevKernel_AllReduce",
                                         "elementwise_kernel", "adam"};

template <size_t n>
std::string_view pick(const std::string_view (&names)[n]) {
  return names[*rc::gen::inRange<size_t>(0, n)];
}

// Times of every scale that the thresholds tell apart; ends may be starts.
Interval some_interval() {
  const int64_t scale = *rc::gen::element<int64_t>(1, 1'000, 100'000);
  const int64_t start = *rc::gen::inRange<int64_t>(0, 200) * scale;
  return {start, start + *rc::gen::inRange<int64_t>(0, 40) * scale};
}

void draw_host_row(Drawing& d) {
  const auto tid = *rc::gen::inRange<uint32_t>(0, 3);
  d.thread(tid, tid == 2 ? 1 : 0);
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      d.op(pick(kOps), some_interval());
      break;
    case 1:
      d.range(pick(kRanges), some_interval());
      break;
    case 2:
      d.frame(pick(kFrames), some_interval());
      break;
    case 3:
      d.overhead(pick(kOverheads), some_interval());
      break;
    default:
      d.api(pick(kApis), some_interval(), *rc::gen::inRange<uint64_t>(0, 12));
  }
}

void draw_device_row(Drawing& d) {
  d.stream(*rc::gen::inRange(7, 10), *rc::gen::inRange<uint32_t>(0, 2));
  const auto correlation = *rc::gen::inRange<uint64_t>(0, 12);
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      d.copy(*rc::gen::element(CopyKind::h2d, CopyKind::d2h),
             *rc::gen::element(HostMemory::pageable, HostMemory::pinned),
             some_interval(), correlation);
      break;
    case 1:
      d.set(some_interval(), correlation);
      break;
    default:
      d.kernel(pick(kKernels), some_interval(), correlation);
  }
}

Drawing some_drawing() {
  Drawing d;
  for (int i = *rc::gen::inRange(0, 30); i > 0; --i) draw_host_row(d);
  for (int i = *rc::gen::inRange(1, 30); i > 0; --i) draw_device_row(d);
  return d;
}

RC_GTEST_PROP(DeviceBook, PiecesTileTheTimeline, ()) {
  const Booked booked(some_drawing(), *rc::gen::element<uint32_t>(0, kNoRow));
  const Timeline& timeline = booked.timeline;
  for (const DeviceBook& book : booked.books) {
    RC_ASSERT(book.end_ns == timeline.last_ns);
    if (timeline.first_ns == timeline.last_ns) continue;
    RC_ASSERT(!book.pieces.empty());
    RC_ASSERT(book.pieces.front().start_ns == timeline.first_ns);
    for (size_t i = 0; i < book.pieces.size(); ++i)
      RC_ASSERT(book.pieces[i].start_ns < book.piece_end_ns(i));
  }
}

RC_GTEST_PROP(DeviceBook, AccountsSumToAnySpan, ()) {
  const Booked booked(some_drawing());
  const Timeline& timeline = booked.timeline;
  const auto instant = [&] {
    return *rc::gen::inRange(timeline.first_ns, timeline.last_ns + 1);
  };
  const auto [from, to] = std::minmax({instant(), instant()});
  for (const DeviceBook& book : booked.books)
    RC_ASSERT(book.totals(from, to).total_ns() == to - from);
}

RC_GTEST_PROP(DeviceBook, StepsSumToTheirLength, ()) {
  const Booked booked(some_drawing());
  for (uint32_t d = 0; d < booked.books.size(); ++d)
    for (const HostSteps& steps : booked.steps) {
      const std::vector<int64_t> edges =
          device_boundaries(booked.timeline, booked.launches, booked.labels,
                            booked.order.devices[d], steps);
      for (size_t i = 1; i < edges.size(); ++i) {
        RC_ASSERT(edges[i - 1] <= edges[i]);
        RC_ASSERT(booked.books[d].totals(edges[i - 1], edges[i]).total_ns() ==
                  edges[i] - edges[i - 1]);
      }
    }
}

RC_GTEST_PROP(DeviceBook, BusyTimeIsTheUnionOfTheActivities, ()) {
  const Booked booked(some_drawing());
  const Timeline& timeline = booked.timeline;
  for (size_t d = 0; d < booked.books.size(); ++d) {
    const AccountTotals totals =
        booked.books[d].totals(timeline.first_ns, timeline.last_ns);
    RC_ASSERT(totals.within_ns("compute") + totals.within_ns("communication") +
                  totals.within_ns("copy") ==
              booked.busy[d].covered(timeline.first_ns, timeline.last_ns));
  }
}

}  // namespace
}  // namespace gpuledger
