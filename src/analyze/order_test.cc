#include "analyze/order.h"

#include <gmock/gmock.h>

#include "analyze/timeline_for_test.h"

namespace gpuledger {
namespace {

using testing::ElementsAre;

std::vector<std::string> host_names(const Timeline& timeline, RowRange rows) {
  std::vector<std::string> names;
  for (uint32_t row = rows.begin; row < rows.end; ++row)
    names.emplace_back(timeline.names.text(timeline.host.name[row]));
  return names;
}

std::vector<std::string> device_names(const Timeline& timeline, RowRange rows) {
  std::vector<std::string> names;
  for (uint32_t row = rows.begin; row < rows.end; ++row)
    names.emplace_back(timeline.names.text(timeline.device.name[row]));
  return names;
}

// "child<parent" for each row of the first thread.
std::vector<std::string> parents(Drawing drawing) {
  Timeline timeline = drawing.timeline();
  const Order order = order_timeline(timeline);
  std::vector<std::string> found;
  const auto name = [&](uint32_t row) {
    return std::string(timeline.names.text(timeline.host.name[row]));
  };
  for (uint32_t row = 0; row < timeline.host.size(); ++row) {
    const uint32_t parent = order.parent[row];
    found.push_back(name(row) + "<" +
                    (parent == kNoRow ? std::string() : name(parent)));
  }
  return found;
}

TEST(Order, HostRowsByThreadThenStartThenTheLongerFirst) {
  Drawing d;
  d.op("late", {50, 60}).op("inner", {10, 20});
  d.thread(1).op("other", {0, 5});
  d.thread(0).op("outer", {10, 40}).op("first", {0, 5});
  Timeline timeline = d.timeline();
  const Order order = order_timeline(timeline);
  ASSERT_EQ(order.threads.size(), 2u);
  EXPECT_THAT(host_names(timeline, order.threads[0]),
              ElementsAre("first", "outer", "inner", "late"));
  EXPECT_THAT(host_names(timeline, order.threads[1]), ElementsAre("other"));
}

TEST(Order, RowsOfOneSpanKeepTheOrderOfTheFile) {
  Drawing d;
  d.op("a", {10, 20}).op("b", {10, 20});
  EXPECT_THAT(parents(d), ElementsAre("a<", "b<a"));
}

TEST(Order, ParentIsTheInnermostOpenRow) {
  Drawing d;
  d.op("outer", {0, 100}).op("inner", {10, 50}).op("leaf", {20, 30});
  d.op("after inner", {50, 60}).op("after all", {100, 110});
  EXPECT_THAT(parents(d), ElementsAre("outer<", "inner<outer", "leaf<inner",
                                      "after inner<outer", "after all<"));
}

TEST(Order, ARowThatOutlivesTheOneItBeganInIsStillAParent) {
  Drawing d;
  d.range("range", {0, 40}).op("crossing", {30, 80});
  d.op("in both", {35, 38}).op("in crossing", {50, 60});
  EXPECT_THAT(parents(d),
              ElementsAre("range<", "crossing<range", "in both<crossing",
                          "in crossing<crossing"));
}

TEST(Order, ARowThatEndedBelowACrossingOneIsNoParent) {
  Drawing d;
  d.range("range", {0, 40}).op("crossing", {30, 80}).op("inner", {45, 90});
  d.op("last", {85, 88});
  EXPECT_THAT(parents(d), ElementsAre("range<", "crossing<range",
                                      "inner<crossing", "last<inner"));
}

TEST(Order, ThreadsDoNotNestInEachOther) {
  Drawing d;
  d.op("main", {0, 100}).thread(1).op("backward", {10, 20});
  EXPECT_THAT(parents(d), ElementsAre("main<", "backward<"));
}

TEST(Order, DeviceRowsByDeviceThenStartThenStreamThenFile) {
  Drawing d;
  d.stream(9).kernel("b", {10, 20}).kernel("c", {10, 30});
  d.stream(7).kernel("a", {10, 20}).kernel("first", {0, 5});
  d.stream(7, 1).kernel("other device", {0, 5});
  Timeline timeline = d.timeline();
  const Order order = order_timeline(timeline);
  ASSERT_EQ(order.devices.size(), 2u);
  EXPECT_THAT(device_names(timeline, order.devices[0]),
              ElementsAre("first", "a", "b", "c"));
  EXPECT_THAT(device_names(timeline, order.devices[1]),
              ElementsAre("other device"));
}

TEST(Order, ADeviceRowThatRepeatsAnotherIsRemovedAndCounted) {
  Drawing d;
  d.kernel("k", {10, 20}, 1).kernel("j", {10, 20}, 2).kernel("k", {10, 20}, 1);
  Timeline timeline = d.timeline();
  const Order order = order_timeline(timeline);
  EXPECT_THAT(device_names(timeline, order.devices[0]), ElementsAre("k", "j"));
  EXPECT_EQ(timeline.imports.of(Import::duplicate_activity).count, 1);
}

TEST(Order, ARowThatDiffersInOneColumnIsNoDuplicate) {
  Drawing d;
  d.kernel("k", {10, 20}, 1);
  d.kernel("k", {10, 20}, 2);  // another launch
  d.kernel("k", {10, 21}, 1);  // another end: nodes of one graph
  d.kernel("j", {10, 20}, 1);
  d.stream(8).kernel("k", {10, 20}, 1);
  Timeline timeline = d.timeline();
  order_timeline(timeline);
  EXPECT_EQ(timeline.device.size(), 5u);
  EXPECT_EQ(timeline.imports.of(Import::duplicate_activity).count, 0);
}

TEST(Order, CollectivesFollowTheirHostRow) {
  Drawing d;
  d.op("last", {50, 60}).op("record_param_comms", {10, 20});
  d.op("first", {0, 5});
  Collective collective;
  collective.host_row = 1;
  d.edit().collectives.push_back(collective);
  Timeline timeline = d.timeline();
  order_timeline(timeline);
  const uint32_t row = timeline.collectives[0].host_row;
  EXPECT_EQ(timeline.names.text(timeline.host.name[row]), "record_param_comms");
}

}  // namespace
}  // namespace gpuledger
