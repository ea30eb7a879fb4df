// Classifies the time in which a device ran nothing.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "analyze/book.h"
#include "analyze/lead.h"

namespace gpuledger {

// One gap [start, end) of a device.
struct Gap {
  int64_t start_ns = 0, end_ns = 0;
  uint32_t before = kNoRow;  // the activity that ended at its start
  uint32_t after = kNoRow;   // the activity that starts at its end
};

class GapClassifier {
 public:
  GapClassifier(const BookInput& input, const IntervalUnion& busy);

  // Appends pieces that tile the gap. Gaps must come in time order.
  void classify(const Gap& gap, std::vector<Piece>& pieces);

 private:
  struct Stretch {
    int64_t start_ns, end_ns;
  };
  void host_part(Stretch part, uint32_t call, std::vector<Piece>& pieces);
  void device_part(Stretch part, uint32_t call, bool after_host,
                   std::vector<Piece>& pieces);
  void walk(Stretch part, uint32_t thread, uint32_t other, uint32_t call,
            std::vector<Piece>& pieces);
  void emit(Stretch part, const HostSegment& segment, uint32_t call,
            std::vector<Piece>& pieces);
  void emit_launch(Stretch part, Account account, uint32_t owner,
                   uint32_t process, std::vector<Piece>& pieces);
  bool holds_lost_call(const Gap& gap) const;
  uint32_t previous_launch_thread(uint32_t call) const;
  uint32_t process_of(uint32_t call) const;

  const BookInput& in_;
  const IntervalUnion& busy_;
  std::vector<Piece> overhead_;  // rows of the profiler, as pieces with gaps
  std::map<uint32_t, LeadDebt> debts_;  // per process
};

}  // namespace gpuledger
