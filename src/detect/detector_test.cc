#include "detect/detector.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "detect/facts_for_test.h"

namespace gpuledger {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kLoader =
    "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
constexpr Interval kWindow{0, 1_ms};

// A device that waits `idle_ns` of 1 ms for the loader.
void draw_device(Drawing& d, uint32_t device, int64_t idle_ns) {
  const int64_t fetched_ns = 300_us + idle_ns;
  d.stream(7, device).thread(device);
  d.op("aten::mm", {-5_us, -1_us});
  d.launch("gemm", {-4_us, -2_us}, {0, 300_us});
  d.range(kLoader, {300_us, fetched_ns});
  d.launch("gemm", {fetched_ns, fetched_ns}, {fetched_ns, 1_ms});
}

std::vector<std::string> ids(const std::vector<Finding>& findings) {
  std::vector<std::string> found;
  for (const Finding& finding : findings) found.push_back(finding.id);
  return found;
}

TEST(Detectors, NamesAreUnique) {
  for (const Detector& a : kDetectors)
    for (const Detector& b : kDetectors)
      if (&a != &b) {
        EXPECT_NE(a.id, b.id);
        EXPECT_NE(a.cause, b.cause);
      }
}

TEST(Detectors, ThatFindNothingAreQuiet) {
  Drawing d;
  d.op("aten::mm", {-5_us, -1_us});
  d.launch("gemm", {-4_us, -2_us}, {0, 1_ms});
  const Detection detection = Detected(d, kWindow).all();
  EXPECT_THAT(detection.findings, IsEmpty());
  EXPECT_THAT(detection.blocked, IsEmpty());
  EXPECT_EQ(detection.quiet.size(), kDetectorCount);
}

TEST(Detectors, WhereIdleTimeIsNotBelievedAreBlocked) {
  Drawing d;
  draw_device(d, 0, 400_us);
  const Detected detected(d, kWindow);
  const Detection detection = detect(detected.facts, {false});
  EXPECT_THAT(detection.findings, IsEmpty());
  EXPECT_THAT(detection.quiet, IsEmpty());
  EXPECT_EQ(detection.blocked.size(), kDetectorCount);
  for (const Blocked& row : detection.blocked) EXPECT_FALSE(row.needs.empty());
}

std::vector<std::string> blocked_in(const Drawing& d) {
  std::vector<std::string> ids;
  for (const Blocked& row : Detected(d, kWindow).all().blocked)
    ids.push_back(row.id);
  return ids;
}

// Only device rows; then calls too; then operators too.
TEST(Detectors, WithoutWhatTheyLookAtAreBlocked) {
  Drawing d;
  d.kernel("gemm", {0, 1_ms}, 0);
  EXPECT_THAT(blocked_in(d), ElementsAre("loader-single-process", "item-sync",
                                         "launch-bound"));
  d.launch("gemm", {-4_us, -2_us}, {0, 1_ms});
  EXPECT_THAT(blocked_in(d), ElementsAre("loader-single-process", "item-sync"));
  d.op("aten::mm", {-5_us, -1_us});
  EXPECT_THAT(blocked_in(d), IsEmpty());
}

TEST(Detectors, OfCopiesNeedAKindOfMemory) {
  Drawing d;
  d.op("aten::mm", {-50_us, -1_us});
  d.launch_copy(CopyKind::h2d, HostMemory::unknown, {-40_us, -30_us}, {0, 9});
  EXPECT_THAT(blocked_in(d), ElementsAre("pageable-copies"));
  d.launch_copy(CopyKind::h2d, HostMemory::pinned, {-20_us, -10_us}, {10, 20});
  EXPECT_THAT(blocked_in(d), IsEmpty());
}

TEST(Detectors, WithoutADeviceAreBlocked) {
  EXPECT_EQ(detect({}, {}).blocked.size(), kDetectorCount);
}

TEST(Findings, HaveSeverityByTheirShare) {
  const auto severity = [](int64_t idle_ns) {
    Drawing d;
    draw_device(d, 0, idle_ns);
    return Detected(d, kWindow).all().findings.at(0).severity;
  };
  EXPECT_EQ(severity(100_us), "high");
  EXPECT_EQ(severity(100_us - 1), "medium");
}

TEST(Findings, AreOrderedByCertaintyThenLostTime) {
  Drawing d;
  draw_device(d, 0, 100_us);
  draw_device(d, 1, 300_us);
  const std::vector<Finding> findings = Detected(d, kWindow).all().findings;
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].device, "0:1");
  EXPECT_EQ(findings[1].device, "0:0");
}

TEST(Findings, SayWhatTheirDetectorSays) {
  Drawing d;
  draw_device(d, 0, 400_us);
  const Finding finding = Detected(d, kWindow).all().findings.at(0);
  EXPECT_EQ(finding.page, "docs/findings/DL-01.md");
  EXPECT_EQ(finding.layer, "data");
  EXPECT_FALSE(finding.title.empty());
  EXPECT_FALSE(finding.remedy.text.empty());
  EXPECT_FALSE(finding.remedy.code.empty());
}

TEST(Findings, AreLikelyWhereEventsWereLost) {
  const auto certainty = [](int64_t events, Import import, int64_t lost) {
    Drawing d;
    draw_device(d, 0, 400_us);
    d.thread(9);
    for (int64_t i = 0; i < events; ++i)
      d.op("aten::add", {2_ms + 2 * i, 2_ms + 2 * i + 1});
    d.edit().imports.add(import, 0, lost);
    return Detected(d, kWindow).find("loader-single-process")->certainty;
  };
  EXPECT_EQ(certainty(100, Import::element_dropped, 6), Certainty::likely);
  EXPECT_EQ(certainty(100, Import::element_dropped, 5), Certainty::proven);
  EXPECT_EQ(certainty(6000, Import::element_dropped, 6), Certainty::proven);
  EXPECT_EQ(certainty(6000, Import::checksum_wrong, 1), Certainty::likely);
  EXPECT_EQ(certainty(100, Import::element_repaired, 6), Certainty::proven);
}

TEST(Findings, OfLaunchesAreLikelyWhereStacksSlowTheHost) {
  const auto certainty = [](bool stacks) {
    Drawing d;
    for (int i = 0; i < 10; ++i)
      d.launch("gemm", {i * 100_us, i * 100_us + 5_us},
               {i * 100_us + 10_us, i * 100_us + 20_us});
    if (stacks) d.frame("/home/me/train.py(42): train", {0, 1_ms});
    return Detected(d, kWindow).find("launch-bound").value().certainty;
  };
  EXPECT_EQ(certainty(false), Certainty::proven);
  EXPECT_EQ(certainty(true), Certainty::likely);
}

TEST(MergedFindings, OfAllDevicesAreSaidOnceWithTheMean) {
  Drawing d;
  draw_device(d, 0, 100_us);
  draw_device(d, 1, 300_us);
  const Detection merged = merge_detections({Detected(d, kWindow).all()}, 2);
  ASSERT_EQ(merged.findings.size(), 1u);
  const Finding& joint = merged.findings[0];
  EXPECT_EQ(joint.device, "");
  EXPECT_FALSE(joint.rank);
  EXPECT_EQ(joint.lost_ns_per_step, 200_us);
  EXPECT_EQ(joint.gain.high_ns_per_step, 200_us);
  EXPECT_DOUBLE_EQ(joint.lost_ratio, 0.2);
  // The figures are those of the device that loses most.
  for (const Evidence& evidence : joint.evidence)
    EXPECT_EQ(evidence.device, "0:1");
}

TEST(MergedFindings, OfSomeDevicesStayTheirs) {
  Drawing d;
  draw_device(d, 0, 10_us);
  draw_device(d, 1, 300_us);
  const Detection merged = merge_detections({Detected(d, kWindow).all()}, 2);
  ASSERT_EQ(merged.findings.size(), 1u);
  EXPECT_EQ(merged.findings[0].device, "0:1");
}

TEST(MergedFindings, AreAsCertainAsTheLeastCertain) {
  const auto part = [](Certainty certainty) {
    Drawing d;
    draw_device(d, 0, 300_us);
    Detection detection = Detected(d, kWindow).all();
    detection.findings[0].certainty = certainty;
    return detection;
  };
  const Detection merged =
      merge_detections({part(Certainty::proven), part(Certainty::likely)}, 2);
  ASSERT_EQ(merged.findings.size(), 1u);
  EXPECT_EQ(merged.findings[0].certainty, Certainty::likely);
}

TEST(MergedFindings, ADetectorIsQuietOnlyIfItFiresNowhere) {
  Drawing fires, quiet;
  draw_device(fires, 0, 300_us);
  draw_device(quiet, 0, 0);
  const Detection merged = merge_detections(
      {Detected(quiet, kWindow).all(), Detected(fires, kWindow).all()}, 2);
  EXPECT_THAT(ids(merged.findings), ElementsAre("loader-single-process"));
  EXPECT_THAT(merged.quiet,
              ElementsAre("pageable-copies", "item-sync", "launch-bound"));
}

TEST(MergedFindings, ADetectorThatRanSomewhereIsNotBlocked) {
  Drawing d;
  draw_device(d, 0, 0);
  const Detected detected(d, kWindow);
  const Detection merged =
      merge_detections({detect(detected.facts, {false}), detected.all()}, 2);
  EXPECT_THAT(merged.blocked, IsEmpty());
  EXPECT_EQ(merged.quiet.size(), kDetectorCount);
}

// A host that loads, copies, reads and launches in any order and length; each
// activity starts when its launch and its predecessor allow.
Drawing some_job() {
  Drawing d;
  int64_t host_ns = 0, device_ns = 0;
  const auto some = [](int64_t upto_us) {
    return *rc::gen::inRange<int64_t>(1, upto_us) * 1_us;
  };
  for (int i = *rc::gen::inRange(5, 40); i > 0; --i) {
    const int64_t begin_ns = host_ns;
    const int64_t free_ns = std::max(device_ns, begin_ns + 3_us);
    switch (*rc::gen::inRange(0, 5)) {
      case 0:
        host_ns += some(300);
        d.range(kLoader, {begin_ns, host_ns});
        continue;
      case 1:  // a read waits for all that was launched
        device_ns = free_ns + some(4);
        host_ns = device_ns + 1_us;
        d.op("aten::_local_scalar_dense", {begin_ns, host_ns});
        d.launch_copy(CopyKind::d2h, HostMemory::pageable,
                      {begin_ns + 1_us, host_ns - 1}, {free_ns, device_ns});
        continue;
      case 2:
        device_ns = free_ns + some(100);
        host_ns = *rc::gen::arbitrary<bool>() ? device_ns : begin_ns + 2_us;
        if (*rc::gen::arbitrary<bool>())
          d.op("aten::_local_scalar_dense", {begin_ns, host_ns});
        d.launch_copy(
            CopyKind::h2d,
            *rc::gen::element(HostMemory::pageable, HostMemory::pinned),
            {begin_ns, host_ns}, {free_ns, device_ns}, 1 << 20);
        continue;
      default:
        device_ns = free_ns + some(30);
        host_ns += some(8);
        d.launch("gemm", {begin_ns, host_ns}, {free_ns, device_ns});
    }
  }
  device_ns = std::max(device_ns, host_ns) + 9_us;
  d.launch("gemm", {host_ns, host_ns + 1}, {device_ns, device_ns + 1_us});
  return d;
}

// No nanosecond is owned by two findings.
RC_GTEST_PROP(Findings, OwnNoTimeTwice, ()) {
  const Drawing drawing = some_job();
  const Timeline timeline = drawing.timeline();
  const Detected detected(drawing, {timeline.first_ns, timeline.last_ns});
  const DeviceFacts& facts = detected.facts[0];
  int64_t lost_ns = 0;
  for (const Finding& finding : detected.all().findings)
    lost_ns += finding.lost_ns_per_step;
  RC_ASSERT(lost_ns <= facts.inner[Account::idle_data] +
                           facts.inner[Account::copy_h2d_pageable] +
                           facts.inner.within_ns("idle.sync") +
                           facts.inner.within_ns("idle.launch"));
}

}  // namespace
}  // namespace gpuledger
