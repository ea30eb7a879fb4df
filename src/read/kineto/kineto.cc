#include "read/kineto/kineto.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/threads.h"
#include "read/json/elements.h"
#include "read/kineto/header.h"
#include "read/kineto/merge.h"
#include "read/other_kinds.h"

namespace gpuledger {
namespace {

struct Item {
  ElementWindow window;
  BatchReader reader;
  Batch batch;
  size_t counted_bytes = 0;  // of what it holds

  size_t held_bytes() const {
    return window.held_bytes() + reader.held_bytes() + batch.held_bytes();
  }
};

// What is held while reading, and is let go then or grows into the copies that
// sorting and joining make of the columns.
class Budget {
 public:
  explicit Budget(uint64_t bytes) : bytes_(bytes) {}

  // The item's buffers may have grown.
  void count(Item& item) {
    items_bytes_ -= item.counted_bytes;
    item.counted_bytes = item.held_bytes();
    items_bytes_ += item.counted_bytes;
  }
  // Above 1: too much.
  double used_ratio(const Timeline& timeline,
                    const TimelineMerger& merger) const {
    const size_t columns_bytes = timeline.held_bytes();
    const size_t reading_bytes = merger.held_bytes() + items_bytes_;
    return static_cast<double>(columns_bytes +
                               std::max(columns_bytes, reading_bytes)) /
           static_cast<double>(bytes_);
  }

 private:
  uint64_t bytes_;
  size_t items_bytes_ = 0;
};

// One long event is held several times over, by each thread.
ElementLimits limits_for(uint64_t memory_bytes) {
  constexpr uint64_t kShare = 32;
  ElementLimits limits;
  limits.window_bytes = std::clamp<size_t>(memory_bytes / kShare / 2, 64 << 10,
                                           limits.window_bytes);
  limits.element_bytes =
      std::clamp<size_t>(memory_bytes / kShare, 1 << 20, limits.element_bytes);
  limits.header_bytes =
      std::clamp<size_t>(memory_bytes / kShare, 1 << 20, limits.header_bytes);
  return limits;
}

struct Span {
  int64_t first_ns = 0, last_ns = 0;
};

// Each thread holds a few windows and what it made of them.
unsigned threads_for(const ReadRequest& request) {
  constexpr uint64_t kPerThread_bytes = 16 << 20;
  return static_cast<unsigned>(std::clamp<uint64_t>(
      request.memory_bytes / kPerThread_bytes, 1, request.threads));
}

Error too_large(const TimelineMerger& merger, double used_ratio,
                uint64_t memory_bytes) {
  const double read_ms =
      merger.any_row()
          ? 1e-6 * static_cast<double>(merger.last_ns() - merger.first_ns())
          : 0;
  const auto fits_ms = static_cast<int64_t>(0.8 * read_ms / used_ratio);
  std::string text = fmt::format(
      "does not fit the memory budget of {} MiB; the events read so far span "
      "{:.3f} s. Give more with --memory",
      memory_bytes >> 20, 1e-3 * read_ms);
  if (fits_ms > 0)
    text += fmt::format(", or a part that fits: --from 0ms --to {}ms", fits_ms);
  return {ErrorCode::over_budget, {}, {}, std::move(text)};
}

Error wrong_kind(uint64_t offset, std::string text) {
  return {ErrorCode::wrong_kind, {}, offset, std::move(text)};
}

int64_t add_saturated(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b < 0 ? INT64_MIN : INT64_MAX;
}

// Reads all events that touch [from, to) of the trace's clock.
Result<Span> read_events(ByteSource& source, const ReadRequest& request,
                         int64_t from_ns, int64_t to_ns, Timeline& timeline) {
  ElementReader elements(source, limits_for(request.memory_bytes));
  TimelineMerger merger(timeline, from_ns, to_ns);
  Budget budget(request.memory_bytes);
  const auto produce = [&](Item& item) { return elements.next(item.window); };
  const auto work = [](Item& item) -> Result<bool> {
    item.reader.read(item.window, item.batch);
    return true;
  };
  const auto check_budget = [&]() -> Result<bool> {
    const double used_ratio = budget.used_ratio(timeline, merger);
    if (used_ratio > 1)
      return fail(too_large(merger, used_ratio, request.memory_bytes));
    return true;
  };
  const auto consume = [&](Item& item) -> Result<bool> {
    merger.add(item.batch);
    budget.count(item);
    return check_budget();
  };
  const unsigned threads = threads_for(request);
  RETURN_IF_ERROR(ordered_parallel<Item>(threads, produce, work, consume));
  merger.finish();
  RETURN_IF_ERROR(check_budget());

  const bool cut =
      elements.text_bytes() == 0 ||
      (elements.top_level_cut() && may_be_trace_header(elements.header()));
  if (!elements.found_array() && !cut)
    return fail(
        wrong_kind(elements.text_bytes(),
                   "the JSON ends without a list of trace events; expected a "
                   "PyTorch trace with \"traceEvents\""));
  if (timeline.events > 0 && !merger.any_trace_event())
    return fail(wrong_kind(0,
                           "a JSON list of something else than trace "
                           "events; expected a PyTorch trace"));
  timeline.truncated = !elements.array_closed();
  timeline.text_bytes = static_cast<int64_t>(elements.text_bytes());
  if (elements.skipped_elements() > 0)
    timeline.imports.add(Import::element_skipped,
                         elements.first_skipped_offset(),
                         elements.skipped_elements());
  if (merger.whole_us_only())
    timeline.imports.add(Import::integer_microseconds);
  if (elements.header_cut()) timeline.imports.add(Import::header_unreadable);
  read_header(elements.header(), timeline);
  return merger.any_row() ? Span{merger.first_ns(), merger.last_ns()} : Span{};
}

}  // namespace

bool sniff_kineto(const FileHead& head) {
  if (is_other_kind(head)) return false;
  if (head.text.empty()) return head.cut;
  const size_t first = head.text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string_view::npos)
    return head.text.size() == DecodedFile::kPeekBytes;
  return head.text[first] == '{' || head.text[first] == '[';
}

Result<Timeline> read_kineto(DecodedFile& source, const ReadRequest& request) {
  const bool part = request.from_ns || request.to_ns;
  int64_t from_ns = INT64_MIN, to_ns = INT64_MAX;
  Span whole;
  if (part) {
    // Times count from the first event, which is known once all were seen.
    if (request.path == "-")
      return fail(ErrorCode::usage,
                  "--from and --to read a file twice; save standard input to "
                  "a file first");
    ASSIGN_OR_RETURN(auto first_pass, open_decoded(request.path));
    Timeline unused;
    ASSIGN_OR_RETURN(
        whole, read_events(*first_pass, request, INT64_MAX, INT64_MIN, unused));
    from_ns = add_saturated(whole.first_ns, request.from_ns.value_or(0));
    if (request.to_ns) to_ns = add_saturated(whole.first_ns, *request.to_ns);
  }
  Timeline timeline;
  ASSIGN_OR_RETURN(whole,
                   read_events(source, request, from_ns, to_ns, timeline));
  timeline.origin_ns = whole.first_ns;
  timeline.first_ns = std::clamp(from_ns, whole.first_ns, whole.last_ns);
  timeline.last_ns = std::clamp(to_ns, timeline.first_ns, whole.last_ns);
  return timeline;
}

}  // namespace gpuledger
