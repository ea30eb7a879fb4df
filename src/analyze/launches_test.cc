#include "analyze/launches.h"

#include <gmock/gmock.h>

#include "analyze/timeline_for_test.h"

namespace gpuledger {
namespace {

using testing::ElementsAre;

struct Joined {
  explicit Joined(const Drawing& drawing)
      : timeline(drawing.timeline()),
        order(order_timeline(timeline)),
        launches(find_launches(timeline, order)) {}

  // "thread@start" of the call behind each device row, or its state.
  std::vector<std::string> calls() const {
    std::vector<std::string> found;
    for (uint32_t row = 0; row < timeline.device.size(); ++row) {
      const uint32_t call = launches.call[row];
      if (call != kNoRow)
        found.push_back(timeline.threads[timeline.host.thread[call]].tid + "@" +
                        std::to_string(timeline.host.start_ns[call]));
      else
        found.push_back(launches.state[row] == LaunchState::carried ? "carried"
                                                                    : "lost");
    }
    return found;
  }
  // Starts of the calls that were the first to launch some kernel name.
  std::vector<int64_t> firsts() const {
    std::vector<int64_t> found;
    for (uint32_t row = 0; row < timeline.host.size(); ++row)
      if (launches.first_of_kernel[row])
        found.push_back(timeline.host.start_ns[row]);
    return found;
  }

  Timeline timeline;
  Order order;
  Launches launches;
};

TEST(Launches, TheOutermostCallOfACorrelationIsTheLaunch) {
  Drawing d;
  d.api("cudaLaunchKernel", {10, 30}, 1).api("cuLaunchKernel", {15, 25}, 1);
  d.kernel("k", {40, 50}, 1);
  EXPECT_THAT(Joined(d).calls(), ElementsAre("0@10"));
}

TEST(Launches, AGraphLaunchIsTheCallOfAllItsNodes) {
  Drawing d;
  d.api("cudaGraphLaunch", {10, 20}, 1);
  d.kernel("a", {30, 40}, 1).kernel("b", {40, 50}, 1);
  const Joined joined(d);
  EXPECT_THAT(joined.calls(), ElementsAre("0@10", "0@10"));
  EXPECT_EQ(joined.launches.activities[0], 2);
}

TEST(Launches, WithoutCallAheadOfEveryLaunchedOneOfItsStreamIsCarriedOver) {
  Drawing d;
  d.kernel("carried", {0, 10}, 99).kernel("carried too", {10, 20});
  d.api("cudaLaunchKernel", {12, 15}, 1).kernel("k", {20, 30}, 1);
  d.kernel("lost", {30, 40}, 98);
  d.stream(8).kernel("carried on 8", {35, 45}, 97);
  EXPECT_THAT(Joined(d).calls(),
              ElementsAre("carried", "carried", "0@12", "lost", "carried"));
}

TEST(Launches, ACorrelationOfTwoProcessesIsPairedInOrderOfTime) {
  Drawing d;
  d.thread(0, 0).api("cudaLaunchKernel", {10, 12}, 1);
  d.thread(5, 1).api("cudaLaunchKernel", {30, 32}, 1);
  d.stream(7).kernel("a", {20, 25}, 1);
  d.stream(8).kernel("a", {40, 45}, 1);
  const Joined joined(d);
  EXPECT_THAT(joined.calls(), ElementsAre("0@10", "5@30"));
  EXPECT_EQ(joined.timeline.imports.of(Import::correlation_ambiguous).count, 2);
}

TEST(Launches, AnAmbiguousActivityGoesToACallOfItsKind) {
  Drawing d;
  d.thread(0, 0).api("cudaLaunchKernel", {10, 12}, 1);
  d.thread(5, 1).api("cudaMemcpyAsync", {11, 13}, 1);
  d.copy(CopyKind::h2d, HostMemory::pinned, {20, 25}, 1);
  d.kernel("k", {40, 45}, 1);
  EXPECT_THAT(Joined(d).calls(), ElementsAre("5@11", "0@10"));
}

TEST(Launches, OneProcessThatUsesAnIdTwiceIsNotAmbiguous) {
  Drawing d;
  d.api("cudaLaunchKernel", {10, 20}, 1).api("cuLaunchKernel", {12, 18}, 1);
  d.kernel("k", {30, 40}, 1);
  EXPECT_EQ(Joined(d).timeline.imports.of(Import::correlation_ambiguous).count,
            0);
}

TEST(Launches, ThatStartBeforeTheirCallAreCounted) {
  Drawing d;
  d.api("cudaLaunchKernel", {5000, 5010}, 1).kernel("k", {3999, 4500}, 1);
  d.api("cudaLaunchKernel", {6000, 6010}, 2).kernel("rounded", {5000, 5500}, 2);
  EXPECT_EQ(Joined(d).timeline.imports.of(Import::start_before_launch).count,
            1);
}

TEST(Launches, FirstOfKernelIsTheEarliestCallNotTheEarliestActivity) {
  Drawing d;
  d.stream(7).launch("k", {10, 12}, {50, 60});  // waits behind other work
  d.stream(8).launch("k", {20, 22}, {30, 40});
  d.launch("j", {70, 72}, {80, 90});
  EXPECT_THAT(Joined(d).firsts(), ElementsAre(10, 70));
}

TEST(Launches, AKernelThatWasCarriedOverIsNoLongerNew) {
  Drawing d;
  d.kernel("k", {0, 5}).launch("k", {10, 12}, {20, 30});
  EXPECT_THAT(Joined(d).firsts(), ElementsAre());
}

TEST(Launches, CopiesAreNeverFirstUse) {
  Drawing d;
  d.launch_copy(CopyKind::h2d, HostMemory::pinned, {10, 12}, {20, 30});
  EXPECT_THAT(Joined(d).firsts(), ElementsAre());
}

TEST(Launches, MainProcessLaunchesMostOnTheDevice) {
  Drawing d;
  d.thread(0, 0).launch("k", {0, 1}, {2, 3});
  d.thread(5, 1);
  for (int64_t i = 1; i < 4; ++i)
    d.launch("k", {10 * i, 10 * i + 1}, {10 * i + 2, 10 * i + 3});
  const Joined joined(d);
  EXPECT_THAT(joined.launches.main_process, ElementsAre(1u));
  EXPECT_THAT(joined.launches.processes, ElementsAre(ElementsAre(0u, 1u)));
}

// One process launches nine tenths of what the other does: as good as equal.
TEST(Launches, OfProcessesWithinTenPercentTheFirstInTheFileIsMain) {
  for (const auto& [launches_of_first, main] : {std::pair{9, 0u}, {8, 1u}}) {
    Drawing d;
    const auto draw = [&](int count) {
      for (int64_t i = 0; i < count; ++i)
        d.launch("k", {10 * i, 10 * i + 1}, {10 * i + 2, 10 * i + 3});
    };
    d.thread(0, 0).stream(7);
    draw(launches_of_first);
    d.thread(5, 1).stream(8);
    draw(10);
    EXPECT_THAT(Joined(d).launches.main_process, ElementsAre(main));
  }
}

}  // namespace
}  // namespace gpuledger
