// A drawing taken through the stages up to what detectors look at.
#pragma once

#include <optional>
#include <string>

#include "analyze/book_for_test.h"
#include "detect/detector.h"

namespace gpuledger {

class Detected {
 public:
  // Findings take their share from `inner`, which holds `steps` steps.
  Detected(const Drawing& drawing, Interval inner, int64_t steps = 1)
      : booked(drawing) {
    for (uint32_t d = 0; d < booked.books.size(); ++d)
      facts.push_back({booked.input, booked.labels, booked.books[d],
                       "0:" + std::to_string(d), booked.order.devices[d],
                       inner.start, inner.end, steps,
                       booked.books[d].totals(inner.start, inner.end)});
  }

  Detection all() const {
    return detect(facts, std::vector<bool>(facts.size(), true));
  }

  // The finding with this id, if it fires.
  std::optional<Finding> find(std::string_view id) const {
    for (const Finding& finding : all().findings)
      if (finding.id == id) return finding;
    return std::nullopt;
  }

  Booked booked;
  std::vector<DeviceFacts> facts;  // per device
};

inline double value_of(const Finding& finding, std::string_view metric) {
  for (const Evidence& evidence : finding.evidence)
    if (evidence.metric == metric) return evidence.value;
  return -1;
}

}  // namespace gpuledger
