#include "detect/places.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "analyze/frame_kind.h"
#include "analyze/printable_name.h"

namespace gpuledger {
namespace {

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

// A part of the lost time and the host row it lies in.
struct Lost {
  uint32_t row = kNoRow;
  int64_t ns = 0;
};

// Adds a charge's host rows. A frame that owns all that runs inside it is
// looked into: its time is spread over what ran at some instants.
void add_rows(const DeviceFacts& facts, const Charge& charge,
              std::vector<Lost>& rows) {
  constexpr int64_t kInstants = 16;
  const uint32_t row = host_row_of(facts, charge);
  if (row == kNoRow) return;
  const HostKind kind = facts.timeline().host.kind[row];
  if (kind != HostKind::frame && kind != HostKind::range) {
    rows.push_back({row, charge.ns()});
    return;
  }
  for (int64_t i = 0; i < kInstants; ++i) {
    const int64_t from = charge.ns() * i / kInstants;
    const int64_t to = charge.ns() * (i + 1) / kInstants;
    rows.push_back({innermost_at(facts, row, charge.start_ns + (from + to) / 2),
                    to - from});
  }
}

constexpr NameId kNoName = UINT32_MAX;

// What is open around a row, by name.
struct Site {
  NameId op = kNoName, module = kNoName;
  NameId frame = kNoName;  // of the user's code
  NameId stack = kNoName;  // that an operator of 2021 carries
  NameId row = kNoName;    // its own, where nothing else is known

  auto operator<=>(const Site&) const = default;
};

constexpr std::string_view kModule = "nn.Module: ";
// No real stack is this deep; a made-up one must not cost its square.
constexpr int kDeepest = 1000;

// The innermost of a stack's frames that is the user's.
std::optional<FrameName> user_frame_of(std::string_view frames) {
  while (!frames.empty()) {
    const size_t end = std::min(frames.find(';'), frames.size());
    const std::string_view frame = frames.substr(0, end);
    frames.remove_prefix(std::min(end + 1, frames.size()));
    if (!is_user_frame(frame)) continue;
    if (const auto parsed = parse_frame(frame)) return parsed;
  }
  return std::nullopt;
}

// Looks rows up; what names say is found out once.
class SiteFinder {
 public:
  explicit SiteFinder(const DeviceFacts& facts)
      : facts_(facts), kinds_(facts.timeline().names.size(), Kind::unknown) {}

  Site site_of(uint32_t row) {
    const HostRows& host = facts_.timeline().host;
    Site site;
    uint32_t r = row;
    for (int depth = 0; r != kNoRow && depth < kDeepest; ++depth) {
      const NameId name = host.name[r];
      if (host.kind[r] == HostKind::op && site.op == kNoName) site.op = name;
      const Kind kind =
          host.kind[r] == HostKind::frame ? kind_of(name) : Kind::other;
      if (kind == Kind::module && site.module == kNoName) site.module = name;
      if (kind == Kind::user && site.frame == kNoName) site.frame = name;
      r = facts_.host.order.parent[r];
    }
    if (site.frame == kNoName) site.stack = stack_of(row);
    if (site.frame == kNoName && site.stack == kNoName && site.op == kNoName)
      site.row = host.name[row];
    return site;
  }

 private:
  enum class Kind : uint8_t { unknown, module, user, other };

  Kind kind_of(NameId name) {
    Kind& kind = kinds_[name];
    if (kind != Kind::unknown) return kind;
    const std::string_view text = facts_.timeline().names.text(name);
    kind = text.starts_with(kModule) ? Kind::module
           : is_user_frame(text)     ? Kind::user
                                     : Kind::other;
    return kind;
  }

  // The innermost stack with a frame of the user's.
  NameId stack_of(uint32_t row) const {
    const auto& stacks = facts_.timeline().call_stacks;
    if (stacks.empty()) return kNoName;
    for (int depth = 0; row != kNoRow && depth < kDeepest; ++depth) {
      const auto stack = std::partition_point(
          stacks.begin(), stacks.end(),
          [row](const CallStack& s) { return s.host_row < row; });
      if (stack != stacks.end() && stack->host_row == row &&
          user_frame_of(facts_.timeline().names.text(stack->frames)))
        return stack->frames;
      row = facts_.host.order.parent[row];
    }
    return kNoName;
  }

  const DeviceFacts& facts_;
  std::vector<Kind> kinds_;  // by name
};

// `row` is one of the site's.
Where where_is(const Timeline& timeline, const Site& site, uint32_t row) {
  Where where;
  const auto text = [&](NameId name) { return timeline.names.text(name); };
  if (site.op != kNoName) where.op = without_folders(text(site.op));
  if (site.module != kNoName)
    where.module = text(site.module).substr(kModule.size());
  std::optional<FrameName> frame;
  if (site.frame != kNoName) frame = parse_frame(text(site.frame));
  if (site.stack != kNoName) frame = user_frame_of(text(site.stack));
  if (site.row != kNoName) where.op = printable_name(timeline, row);
  if (frame) {
    where.file = frame->file;
    where.line = frame->line;
    where.function = frame->function;
  }
  return where;
}

struct SiteTotal {
  uint32_t first_row = kNoRow;
  int64_t ns = 0;
};

// One line of code is one place, whatever operator or module it went through.
std::vector<Where> largest_places(const Timeline& timeline,
                                  const std::map<Site, SiteTotal>& by_site) {
  constexpr size_t kPlaces = 3;
  std::vector<std::pair<Site, SiteTotal>> sites(by_site.begin(), by_site.end());
  std::sort(sites.begin(), sites.end(), [](const auto& a, const auto& b) {
    return a.second.first_row < b.second.first_row;
  });
  std::map<std::tuple<std::string, int, std::string>, size_t> by_place;
  std::vector<std::pair<Where, int64_t>> places;
  int64_t total_ns = 0;
  for (const auto& [site, total] : sites) {
    Where where = where_is(timeline, site, total.first_row);
    const auto [it, is_new] = by_place.try_emplace(
        {where.file, where.line, where.file.empty() ? where.op : std::string()},
        places.size());
    if (is_new) places.emplace_back(where, 0);
    auto& [place, ns] = places[it->second];
    if (place.module != where.module) place.module.clear();
    if (place.op != where.op) place.op.clear();
    ns += total.ns;
    total_ns += total.ns;
  }
  std::stable_sort(
      places.begin(), places.end(),
      [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<Where> largest;
  for (size_t i = 0; i < std::min(places.size(), kPlaces); ++i) {
    largest.push_back(std::move(places[i].first));
    largest.back().share =
        static_cast<double>(places[i].second) / static_cast<double>(total_ns);
  }
  return largest;
}

}  // namespace

std::vector<Where> where_of(const DeviceFacts& facts,
                            const std::vector<Charge>& charges) {
  std::vector<Lost> rows;
  for (const Charge& charge : charges) add_rows(facts, charge, rows);
  std::sort(rows.begin(), rows.end(),
            [](const Lost& a, const Lost& b) { return a.row < b.row; });
  SiteFinder finder(facts);
  std::map<Site, SiteTotal> by_site;
  for (size_t i = 0; i < rows.size();) {
    const uint32_t row = rows[i].row;
    SiteTotal& total = by_site[finder.site_of(row)];
    total.first_row = std::min(total.first_row, row);
    for (; i < rows.size() && rows[i].row == row; ++i) total.ns += rows[i].ns;
  }
  return largest_places(facts.timeline(), by_site);
}

bool has_stacks(const Timeline& timeline) {
  return !timeline.call_stacks.empty() || has_rows(timeline, HostKind::frame);
}

std::string where_note(const DeviceFacts& facts) {
  if (has_stacks(facts.timeline())) return {};
  return "Record with with_stack=True to see the line of code.";
}

}  // namespace gpuledger
