// The --fail-on bounds, judged on a report.
#pragma once

#include <string>

#include "cli/parse.h"
#include "model/report.h"

namespace gpuledger {

struct BoundOutcome {
  enum class Kind { within, crossed, not_judged };
  Kind kind = Kind::within;
  std::string text;  // for people: what was found, on which device
};

// The share of the window on the worst device. A trace that cannot carry a
// verdict, or lacks what the cause's detector needs, passes no bound.
BoundOutcome judge_bound(const Report& report, const Bound& bound);

}  // namespace gpuledger
