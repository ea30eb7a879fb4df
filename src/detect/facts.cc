#include "detect/facts.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "analyze/printable_name.h"

namespace gpuledger {

std::vector<Charge> charges_of(const DeviceFacts& facts,
                               std::initializer_list<Account> accounts,
                               const std::function<bool(const Charge&)>& keep) {
  std::vector<Charge> charges;
  const DeviceBook& book = facts.book;
  for (size_t i = book.piece_at(facts.inner_start_ns);
       i < book.pieces.size() && book.pieces[i].start_ns < facts.inner_end_ns;
       ++i) {
    const Piece& piece = book.pieces[i];
    if (std::find(accounts.begin(), accounts.end(), piece.account) ==
        accounts.end())
      continue;
    const Charge charge{std::max(piece.start_ns, facts.inner_start_ns),
                        std::min(book.piece_end_ns(i), facts.inner_end_ns),
                        piece.owner, piece.account, piece.note};
    if (charge.ns() > 0 && keep(charge)) charges.push_back(charge);
  }
  return charges;
}

int64_t total_ns(const std::vector<Charge>& charges) {
  int64_t total = 0;
  for (const Charge& charge : charges) total += charge.ns();
  return total;
}

uint32_t enclosing_row(const DeviceFacts& facts, uint32_t row,
                       const std::function<bool(uint32_t)>& is) {
  // No real stack is this deep; a made-up one must not cost its square.
  constexpr int kDeepest = 1000;
  for (int depth = 0; row != kNoRow && !is(row); ++depth)
    row = depth < kDeepest ? facts.host.order.parent[row] : kNoRow;
  return row;
}

bool starts_inside(const DeviceFacts& facts, int64_t start_ns) {
  return start_ns >= facts.inner_start_ns && start_ns < facts.inner_end_ns;
}

namespace {

// The host row behind a charge: of a copy or kernel, its launch.
uint32_t host_row_of(const DeviceFacts& facts, const Charge& charge) {
  if (charge.owner == kNoRow) return kNoRow;
  const std::string_view account = account_name(charge.account);
  return account_within(account, "idle") ||
                 charge.account == Account::unattributed
             ? charge.owner
             : facts.host.launches.call[charge.owner];
}

// The innermost row open at `time_ns` on the thread of `row`.
uint32_t innermost_at(const DeviceFacts& facts, uint32_t row, int64_t time_ns) {
  const HostRows& host = facts.timeline().host;
  const RowRange rows = facts.host.order.threads[host.thread[row]];
  const auto begin = host.start_ns.begin();
  const auto after =
      std::upper_bound(begin + rows.begin, begin + rows.end, time_ns);
  if (after == begin + rows.begin) return row;
  const uint32_t inner =
      enclosing_row(facts, static_cast<uint32_t>(after - begin) - 1,
                    [&](uint32_t r) { return host.end_ns[r] > time_ns; });
  return inner == kNoRow ? row : inner;
}

// Adds a charge to the host rows it lies in. A frame that owns all that runs
// inside it is looked into: its time is spread over what ran at some instants.
void add_rows(const DeviceFacts& facts, const Charge& charge,
              std::map<uint32_t, int64_t>& by_row) {
  constexpr int64_t kInstants = 16;
  const uint32_t row = host_row_of(facts, charge);
  if (row == kNoRow) return;
  const HostKind kind = facts.timeline().host.kind[row];
  if (kind != HostKind::frame && kind != HostKind::range) {
    by_row[row] += charge.ns();
    return;
  }
  for (int64_t i = 0; i < kInstants; ++i) {
    const int64_t from = charge.ns() * i / kInstants;
    const int64_t to = charge.ns() * (i + 1) / kInstants;
    by_row[innermost_at(facts, row, charge.start_ns + (from + to) / 2)] +=
        to - from;
  }
}

void set_line(Where& where, const FrameName& frame) {
  where.file = frame.file;
  where.line = frame.line;
  where.function = frame.function;
}

// Sets the line from the stack that operators of 2021 carry, if one is open.
bool set_line_from_stack(const DeviceFacts& facts, uint32_t row, Where& where) {
  const auto& stacks = facts.timeline().call_stacks;
  for (; row != kNoRow; row = facts.host.order.parent[row]) {
    const auto stack = std::partition_point(
        stacks.begin(), stacks.end(),
        [row](const CallStack& s) { return s.host_row < row; });
    if (stack == stacks.end() || stack->host_row != row) continue;
    std::string_view frames = facts.timeline().names.text(stack->frames);
    while (!frames.empty()) {
      const size_t end = std::min(frames.find(';'), frames.size());
      const std::string_view frame = frames.substr(0, end);
      frames.remove_prefix(std::min(end + 1, frames.size()));
      if (!is_user_frame(frame)) continue;
      const auto parsed = parse_frame(frame);
      if (!parsed) continue;
      set_line(where, *parsed);
      return true;
    }
  }
  return false;
}

Where site_of(const DeviceFacts& facts, uint32_t row) {
  const HostRows& host = facts.timeline().host;
  Where where;
  const uint32_t op = enclosing_row(
      facts, row, [&](uint32_t r) { return host.kind[r] == HostKind::op; });
  if (op != kNoRow) where.op = facts.host_name(op);
  const uint32_t module = enclosing_row(facts, row, [&](uint32_t r) {
    return host.kind[r] == HostKind::frame &&
           facts.host_name(r).substr(0, 11) == "nn.Module: ";
  });
  if (module != kNoRow) where.module = facts.host_name(module).substr(11);
  const uint32_t frame = enclosing_row(facts, row, [&](uint32_t r) {
    return host.kind[r] == HostKind::frame && is_user_frame(facts.host_name(r));
  });
  if (frame != kNoRow) {
    if (const auto parsed = parse_frame(facts.host_name(frame)))
      set_line(where, *parsed);
  } else if (!set_line_from_stack(facts, row, where) && where.op.empty() &&
             row != kNoRow) {
    where.op = printable_name(facts.timeline(), row);
  }
  return where;
}

}  // namespace

std::vector<Where> where_of(const DeviceFacts& facts,
                            const std::vector<Charge>& charges) {
  std::map<uint32_t, int64_t> by_row;
  for (const Charge& charge : charges) add_rows(facts, charge, by_row);
  // One line of code is one site, whatever operator or module it went through.
  using Key = std::tuple<std::string, int, std::string>;
  std::map<Key, std::pair<Where, int64_t>> by_site;
  int64_t total = 0;
  for (const auto& [row, ns] : by_row) {
    Where where = site_of(facts, row);
    const Key key{where.file, where.line,
                  where.file.empty() ? where.op : std::string()};
    auto [it, is_new] = by_site.try_emplace(key, std::move(where), 0);
    it->second.second += ns;
    total += ns;
  }
  std::vector<std::pair<Where, int64_t>> sites;
  for (auto& [key, site] : by_site) sites.push_back(std::move(site));
  std::stable_sort(
      sites.begin(), sites.end(),
      [](const auto& a, const auto& b) { return a.second > b.second; });
  if (sites.size() > 3) sites.resize(3);
  std::vector<Where> result;
  for (auto& [where, ns] : sites) {
    where.share = static_cast<double>(ns) / static_cast<double>(total);
    result.push_back(std::move(where));
  }
  return result;
}

bool has_stacks(const Timeline& timeline) {
  if (!timeline.call_stacks.empty()) return true;
  const auto& kind = timeline.host.kind;
  return std::find(kind.begin(), kind.end(), HostKind::frame) != kind.end();
}

std::string where_note(const DeviceFacts& facts) {
  if (has_stacks(facts.timeline())) return {};
  return "Record with with_stack=True to see the line of code.";
}

Evidence measure(std::string metric, double value, std::string unit) {
  Evidence evidence;
  evidence.metric = std::move(metric);
  evidence.value = value;
  evidence.unit = std::move(unit);
  return evidence;
}

Evidence longest_charges(const DeviceFacts& facts, std::string metric,
                         const std::vector<Charge>& charges) {
  std::vector<Charge> longest(std::min<size_t>(3, charges.size()));
  std::partial_sort_copy(charges.begin(), charges.end(), longest.begin(),
                         longest.end(), [](const Charge& a, const Charge& b) {
                           return a.ns() != b.ns() ? a.ns() > b.ns()
                                                   : a.start_ns < b.start_ns;
                         });
  const int64_t longest_ns = longest.empty() ? 0 : longest.front().ns();
  Evidence evidence =
      measure(std::move(metric), static_cast<double>(longest_ns), "ns");
  evidence.device = facts.device_id;
  const Timeline& timeline = facts.timeline();
  for (const Charge& charge : longest) {
    EvidenceEvent event;
    event.start_ns = charge.start_ns - timeline.origin_ns;
    event.dur_ns = charge.ns();
    event.name = account_name(charge.account);
    if (const uint32_t row = host_row_of(facts, charge); row != kNoRow) {
      event.name = printable_name(timeline, row);
      event.thread = timeline.threads[timeline.host.thread[row]].tid;
    }
    evidence.events.push_back(std::move(event));
  }
  return evidence;
}

}  // namespace gpuledger
