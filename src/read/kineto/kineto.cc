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
};

// The columns are sorted and joined after reading, which takes as much again.
constexpr uint64_t kWorkingCopies = 2;

struct Span {
  int64_t first_ns = 0, last_ns = 0;
};

Error too_large(const Timeline& timeline, const TimelineMerger& merger,
                const ReadRequest& request) {
  const double read_s =
      1e-9 * static_cast<double>(merger.last_ns() - merger.first_ns());
  const double fits_s = read_s * static_cast<double>(request.memory_bytes) /
                        static_cast<double>(kWorkingCopies * timeline.bytes()) *
                        0.8;
  return {ErrorCode::over_budget,
          {},
          {},
          fmt::format("does not fit the memory budget of {} MiB; the events "
                      "read so far span {:.3f} s. Give more with --memory, or "
                      "a part that fits: --from 0ms --to {:.0f}ms",
                      request.memory_bytes >> 20, read_s, 1e3 * fits_s)};
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
                         int64_t from_ns, int64_t to_ns, bool keep_size,
                         Timeline& timeline) {
  ElementReader elements(source);
  TimelineMerger merger(timeline, from_ns, to_ns);
  const auto produce = [&](Item& item) { return elements.next(item.window); };
  const auto work = [](Item& item) -> Result<bool> {
    item.reader.read(item.window, item.batch);
    return true;
  };
  const auto consume = [&](Item& item) -> Result<bool> {
    merger.add(item.batch);
    if (keep_size && kWorkingCopies * timeline.bytes() > request.memory_bytes)
      return fail(too_large(timeline, merger, request));
    return true;
  };
  RETURN_IF_ERROR(
      ordered_parallel<Item>(request.threads, produce, work, consume));
  merger.finish();

  const bool cut =
      elements.text_bytes() == 0 ||
      (elements.top_level_cut() && may_be_trace_header(elements.header()));
  if (!elements.found_array() && !cut)
    return fail(
        wrong_kind(elements.text_bytes(),
                   "the JSON ends without a list of trace events; expected a "
                   "PyTorch trace with \"traceEvents\""));
  if (elements.found_array() && timeline.events > 0 &&
      !merger.any_trace_event() && elements.array_closed())
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
    ASSIGN_OR_RETURN(whole, read_events(*first_pass, request, INT64_MAX,
                                        INT64_MIN, false, unused));
    from_ns = add_saturated(whole.first_ns, request.from_ns.value_or(0));
    if (request.to_ns) to_ns = add_saturated(whole.first_ns, *request.to_ns);
  }
  Timeline timeline;
  ASSIGN_OR_RETURN(
      whole, read_events(source, request, from_ns, to_ns, true, timeline));
  timeline.origin_ns = whole.first_ns;
  timeline.first_ns = std::clamp(from_ns, whole.first_ns, whole.last_ns);
  timeline.last_ns = std::clamp(to_ns, timeline.first_ns, whole.last_ns);
  return timeline;
}

}  // namespace gpuledger
