// For any timeline, however wild: the accounts of every device sum to the time
// that is asked for, and the pieces stand in order and leave no hole.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "analyze/any_drawing_for_test.h"
#include "analyze/book_for_test.h"

namespace gpuledger {
namespace {

RC_GTEST_PROP(DeviceBook, PiecesTileTheTimeline, ()) {
  const Booked booked(any_drawing(), *rc::gen::element<uint32_t>(0, kNoRow));
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
  const Booked booked(any_drawing());
  const Timeline& timeline = booked.timeline;
  const auto instant = [&] {
    return *rc::gen::inRange(timeline.first_ns, timeline.last_ns + 1);
  };
  const auto [from, to] = std::minmax({instant(), instant()});
  for (const DeviceBook& book : booked.books)
    RC_ASSERT(book.totals(from, to).total_ns() == to - from);
}

RC_GTEST_PROP(DeviceBook, StepsSumToTheirLength, ()) {
  const Booked booked(any_drawing());
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
  const Booked booked(any_drawing());
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
