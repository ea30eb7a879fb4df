#include "read/kineto/batch.h"

#include <algorithm>
#include <charconv>

#include "model/copy_name.h"
#include "read/json/repair.h"
#include "read/kineto/time_text.h"

namespace gpuledger {
namespace {

// Any two times differ by what 64 bits hold.
constexpr int64_t kTimeMax_ns = (int64_t{1} << 62) - 1;
// Thirteen days: no event lasts longer, and thousands add up in 64 bits.
constexpr int64_t kDurationMax_ns = int64_t{1} << 50;
// A negative duration of no more than this is a zero that was rounded.
constexpr int64_t kRounding_ns = 1000;
constexpr int64_t kCopyMax_bytes = int64_t{1} << 50;

uint64_t parse_correlation(std::string_view token) {
  const std::string_view text = unquoted(token);
  uint64_t value = kNoCorrelation;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

HostKind host_kind(RowKind kind) {
  switch (kind) {
    case RowKind::api:
      return HostKind::api;
    case RowKind::range:
      return HostKind::range;
    case RowKind::frame:
      return HostKind::frame;
    case RowKind::overhead:
      return HostKind::overhead;
    default:
      return HostKind::op;
  }
}

ActivityKind activity_kind(RowKind kind) {
  if (kind == RowKind::copy) return ActivityKind::copy;
  if (kind == RowKind::set) return ActivityKind::set;
  return ActivityKind::kernel;
}

int64_t integer_or_zero(std::string_view token) {
  int64_t value = 0;
  return parse_integer(token, value) ? value : 0;
}

// 0 stands for a size that no copy can have.
int64_t parse_bytes(std::string_view token) {
  const int64_t bytes = integer_or_zero(token);
  return bytes >= 0 && bytes <= kCopyMax_bytes ? bytes : 0;
}

// "stream 7" -> "7", as the dialect of 2021 names a stream's row.
std::string_view stream_of_tid(std::string_view tid) {
  constexpr std::string_view kPrefix = "stream ";
  return tid.substr(0, kPrefix.size()) == kPrefix ? tid.substr(kPrefix.size())
                                                  : tid;
}

// Flows, metadata and counters carry no time span and are a third of a trace.
// Where the phase is written first, as recorders do, they need no parsing.
bool is_plainly_spanless(std::string_view text) {
  size_t at = 0;
  const auto skip = [&](std::string_view expected) {
    while (at < text.size() && static_cast<unsigned char>(text[at]) <= ' ')
      ++at;
    if (text.substr(at, expected.size()) != expected) return false;
    at += expected.size();
    return true;
  };
  if (!skip("{") || !skip("\"ph\"") || !skip(":") || !skip("\"") ||
      at + 1 >= text.size() || text[at + 1] != '"')
    return false;
  constexpr std::string_view kSpanless = "sftMC";
  return kSpanless.find(text[at]) != std::string_view::npos;
}

}  // namespace

void Batch::clear() {
  // Beyond this, names are not worth keeping.
  constexpr size_t kPoolMax_bytes = 4 << 20;
  if (names.bytes() > kPoolMax_bytes || tracks.bytes() > kPoolMax_bytes) {
    *this = {};
    return;
  }
  host.clear();
  device.clear();
  collectives.clear();
  call_stacks.clear();
  imports = {};
  events = times = whole_us_times = 0;
  window_end_seen = counter_replay = any_trace_event = false;
}

size_t Batch::held_bytes() const {
  return host.held_bytes() + device.held_bytes() +
         collectives.capacity() * sizeof(Collective) +
         call_stacks.capacity() * sizeof(CallStack) + names.bytes() +
         tracks.bytes() +
         sizeof(uint32_t) * (name_ids.capacity() + thread_ids.capacity() +
                             stream_ids.capacity());
}

void BatchReader::read(const ElementWindow& window, Batch& batch) {
  batch.clear();
  batch_ = &batch;
  track_key_.clear();
  for (const Element& element : window.elements)
    add_element(window.text_of(element), window.offset_of(element),
                element.suspect);
}

void BatchReader::add_element(std::string_view text, uint64_t offset,
                              bool suspect) {
  ++batch_->events;
  if (!suspect && is_plainly_spanless(text)) {
    batch_->any_trace_event = true;
    return;
  }
  if (!suspect && parser_.parse(text, event_)) {
    if (event_.missing_values > 0)
      batch_->imports.add(Import::not_a_number, offset, event_.missing_values);
  } else if (!repair(text, offset)) {
    batch_->imports.add(Import::element_dropped, offset);
    return;
  }
  add_event(offset);
}

// Repairs the element once and parses the result.
bool BatchReader::repair(std::string_view text, uint64_t offset) {
  Repaired repaired = repair_element(text);
  const size_t size = repaired.text.size();
  repaired_ = std::move(repaired.text);
  repaired_.resize(size + simdjson::SIMDJSON_PADDING, ' ');
  if (!parser_.parse(std::string_view(repaired_).substr(0, size), event_))
    return false;
  if (repaired.repairs() > 0)
    batch_->imports.add(Import::element_repaired, offset);
  if (repaired.missing_values > 0)
    batch_->imports.add(Import::not_a_number, offset, repaired.missing_values);
  return true;
}

void BatchReader::add_event(uint64_t offset) {
  const Event& event = event_;
  if (event.phase != 0) batch_->any_trace_event = true;
  if (event.phase == 'i' || event.phase == 'I') {
    if (event.name == "Record Window End") batch_->window_end_seen = true;
    return;
  }
  if (event.phase != 'X') return;
  const RowKind kind = event.category.empty()
                           ? row_kind_by_pid(unquoted(event.pid))
                           : row_kind(event.category, event.name);
  if (kind == RowKind::ignored) return;
  if (kind == RowKind::unknown) {
    batch_->imports.add(Import::unknown_category, offset);
    return;
  }
  if (kind == RowKind::counter_replay) {
    batch_->counter_replay = true;
    return;
  }
  int64_t start_ns = 0, end_ns = 0;
  if (!read_span(offset, is_device_row(kind), start_ns, end_ns)) return;
  if (is_device_row(kind))
    add_device(kind, start_ns, end_ns);
  else
    add_host(kind, start_ns, end_ns);
}

bool BatchReader::read_span(uint64_t offset, bool on_device, int64_t& start_ns,
                            int64_t& end_ns) {
  const TimeText start = parse_microseconds(event_.ts);
  const TimeText duration = parse_microseconds(event_.dur);
  const auto lost = [&](Import import) {
    batch_->imports.add(import, offset);
    if (on_device) batch_->imports.add(Import::activity_time_lost, offset);
    return false;
  };
  if (start.error == TimeError::overflow ||
      duration.error == TimeError::overflow)
    return lost(Import::time_overflow);
  if (start.error != TimeError::none || duration.error != TimeError::none)
    return lost(Import::time_unreadable);
  start_ns = start.ns;
  if (duration.ns > kDurationMax_ns || start_ns < -kTimeMax_ns ||
      start_ns > kTimeMax_ns - kDurationMax_ns)
    return lost(Import::time_overflow);
  if (on_device && duration.ns < -kRounding_ns)
    return lost(Import::duration_negative);
  end_ns = start_ns + std::max<int64_t>(0, duration.ns);
  if (on_device && start_ns == 0 && duration.ns == 0) {
    batch_->imports.add(Import::activity_time_lost, offset);
    return false;
  }
  if (duration.ns < 0) batch_->imports.add(Import::duration_negative, offset);
  batch_->times += 2;
  batch_->whole_us_times += start.whole_us + duration.whole_us;
  return true;
}

uint32_t BatchReader::track(std::string_view major, std::string_view minor) {
  if (track_key_.size() == major.size() + minor.size() + 1 &&
      track_key_.compare(0, major.size(), major) == 0 &&
      track_key_[major.size()] == '\n' && track_key_.ends_with(minor))
    return track_;  // most rows are on the track of the row before
  track_key_.assign(major);
  track_key_ += '\n';
  track_key_ += minor;
  return track_ = batch_->tracks.intern(track_key_);
}

void BatchReader::add_host(RowKind kind, int64_t start_ns, int64_t end_ns) {
  const Event& event = event_;
  const uint32_t thread = track(unquoted(event.pid), unquoted(event.tid));
  const uint64_t correlation = kind == RowKind::api
                                   ? parse_correlation(event.args.correlation)
                                   : kNoCorrelation;
  if (!event.args.collective.empty()) {
    Collective collective;
    collective.host_row = static_cast<uint32_t>(batch_->host.size());
    collective.name = batch_->names.intern(event.args.collective);
    collective.group = batch_->names.intern(event.args.group);
    collective.dtype = batch_->names.intern(event.args.dtype);
    collective.in_elements = integer_or_zero(event.args.in_elements);
    collective.out_elements = integer_or_zero(event.args.out_elements);
    collective.group_size =
        static_cast<int32_t>(integer_or_zero(event.args.group_size));
    batch_->collectives.push_back(collective);
  }
  if (!event.args.call_stack.empty())
    batch_->call_stacks.push_back(
        {static_cast<uint32_t>(batch_->host.size()),
         batch_->names.intern(event.args.call_stack)});
  batch_->host.push(start_ns, end_ns, batch_->names.intern(event.name), thread,
                    host_kind(kind), correlation);
}

void BatchReader::add_device(RowKind kind, int64_t start_ns, int64_t end_ns) {
  const Event& event = event_;
  std::string_view device =
      unquoted(event.args.device.empty() ? event.pid : event.args.device);
  std::string_view stream = unquoted(event.args.stream);
  // The autograd profiler's own export has no streams; its tid is the device.
  if (event.category.empty())
    device = unquoted(event.tid);
  else if (stream.empty())
    stream = stream_of_tid(unquoted(event.tid));
  if (stream.empty()) stream = "-1";
  CopyName copy;
  if (kind == RowKind::copy) copy = parse_copy_name(event.name);
  batch_->device.push(start_ns, end_ns, batch_->names.intern(event.name),
                      track(device, stream), activity_kind(kind), copy.kind,
                      copy.memory, parse_correlation(event.args.correlation),
                      parse_bytes(event.args.bytes));
}

}  // namespace gpuledger
