// A drawing taken through the stages up to the books of its devices, and a
// book as text: "compute.other 90us, idle.queue 2us".
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "analyze/book.h"
#include "analyze/order.h"
#include "analyze/steps.h"
#include "analyze/timeline_for_test.h"
#include "analyze/verdict.h"

namespace gpuledger {

class Booked {
 public:
  // `tail_thread`: walked where nothing is launched any more.
  explicit Booked(const Drawing& drawing, uint32_t tail_thread = 0)
      : timeline(drawing.timeline()),
        order(order_timeline(timeline)),
        launches(find_launches(timeline, order)),
        names(timeline),
        labels(label_activities(timeline, order, launches, names)),
        blocking(find_blocking(timeline, launches, names)),
        processes(group_by_process(timeline, launches, blocking)),
        overhead(find_overhead(timeline)),
        lost(find_lost_calls(timeline, launches, names)),
        step_row(timeline.host.size(), 0) {
    for (const RowRange& rows : order.devices) {
      IntervalUnion united;
      for (uint32_t row = rows.begin; row < rows.end; ++row)
        united.add(timeline.device.start_ns[row], timeline.device.end_ns[row]);
      busy.push_back(united);
    }
    for (const ProcessRows& process : processes) {
      steps.push_back(find_host_steps(timeline, names, process));
      for (uint32_t row : steps.back().rows) step_row[row] = 1;
    }
    activity = label_host(input);
    for (uint32_t d = 0; d < timeline.devices.size(); ++d)
      books.push_back(
          book_device({input, activity, labels, lost.calls, d, tail_thread}));
  }
  Booked(const Booked&) = delete;
  Booked& operator=(const Booked&) = delete;

  // What device `d` did from `start` to `end`; neighbours of one account are
  // one entry, whoever owns them.
  std::string ledger(Interval span, uint32_t d = 0) const {
    std::string text;
    const DeviceBook& book = books[d];
    Account account = Account::unattributed;
    int64_t length_ns = 0;
    const auto write = [&] {
      if (length_ns == 0) return;
      if (!text.empty()) text += ", ";
      text += fmt::format("{} {}", account_name(account), duration(length_ns));
      length_ns = 0;
    };
    for (size_t i = book.piece_at(span.start); i < book.pieces.size(); ++i) {
      const int64_t start_ns = std::max(book.pieces[i].start_ns, span.start);
      const int64_t end_ns = std::min(book.piece_end_ns(i), span.end);
      if (start_ns >= end_ns) continue;
      if (book.pieces[i].account != account) write();
      account = book.pieces[i].account;
      length_ns += end_ns - start_ns;
    }
    write();
    return text;
  }

  // The host row that owns the time at `time_ns` of device `d`, by name.
  std::string owner_at(int64_t time_ns, uint32_t d = 0) const {
    const uint32_t row = books[d].pieces[books[d].piece_at(time_ns)].owner;
    if (row == kNoRow) return "";
    return std::string(timeline.names.text(timeline.host.name[row]));
  }

  // The first host row, device row of this name.
  uint32_t host_row(std::string_view name) const {
    return find(name, timeline.host.name);
  }
  uint32_t device_row(std::string_view name) const {
    return find(name, timeline.device.name);
  }

  static std::string duration(int64_t ns) {
    if (ns % 1'000'000 == 0) return fmt::format("{}ms", ns / 1'000'000);
    if (ns % 1'000 == 0) return fmt::format("{}us", ns / 1'000);
    return fmt::format("{}ns", ns);
  }

  Timeline timeline;
  Order order;
  Launches launches;
  NameTable names;
  ActivityLabels labels;
  std::vector<Blocking> blocking;
  std::vector<ProcessRows> processes;
  std::vector<uint32_t> overhead;
  LostCalls lost;
  std::vector<uint8_t> step_row;
  std::vector<IntervalUnion> busy;
  std::vector<HostSteps> steps;  // per process
  HostActivityInput input{timeline,  order,    launches, names,   blocking,
                          processes, overhead, busy,     step_row};
  HostActivity activity;
  std::vector<DeviceBook> books;  // per device

 private:
  uint32_t find(std::string_view name,
                const std::vector<NameId>& column) const {
    for (uint32_t row = 0; row < column.size(); ++row)
      if (timeline.names.text(column[row]) == name) return row;
    return kNoRow;
  }
};

}  // namespace gpuledger
