#include "detect/facts.h"

#include <algorithm>

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

bool has_rows(const Timeline& timeline, HostKind kind) {
  const auto& kinds = timeline.host.kind;
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

uint32_t host_row_of(const DeviceFacts& facts, const Charge& charge) {
  if (charge.owner == kNoRow) return kNoRow;
  const std::string_view account = account_name(charge.account);
  return account_within(account, "idle") ||
                 charge.account == Account::unattributed
             ? charge.owner
             : facts.host.launches.call[charge.owner];
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
