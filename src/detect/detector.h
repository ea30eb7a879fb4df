// The table of detectors. Each looks at one device and says nothing, or makes
// one finding. Adding one: a pair of files per family, one line in the table,
// one page in docs/findings, one firing and one quiet case.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "detect/facts.h"
#include "model/finding.h"
#include "model/report.h"

namespace gpuledger {

struct Detector {
  std::string_view id;     // loader-single-process
  std::string_view cause;  // DL-01
  std::string_view title;
  std::string_view layer;
  std::string_view remedy;
  std::string_view code;  // to paste
  // Idle, launch, data and sync findings need idle time that can be believed.
  bool needs_idle;
  // Stacks and memory profiling inflate what it measures: at most likely then.
  bool inflated_by_recording;
  // What the trace lacks that the detector needs, and how to record it; empty:
  // nothing.
  std::string_view (*lacks)(const DeviceFacts& facts);
  // Nothing: quiet. Else lost time, evidence and where; the rest of the finding
  // comes from the table.
  std::optional<Finding> (*run)(const DeviceFacts& facts);
};

inline constexpr size_t kDetectorCount = 4;
extern const std::array<Detector, kDetectorCount> kDetectors;

struct Detection {
  std::vector<Finding> findings;  // by certainty, then lost time
  std::vector<std::string> quiet;
  std::vector<Blocked> blocked;
};

// Runs every detector on every device. `believed[i]`: device i's idle time can
// be believed.
Detection detect(const std::vector<DeviceFacts>& devices,
                 const std::vector<bool>& believed);

// Findings of several traces as one list; what holds for all devices is said
// once.
Detection merge_detections(std::vector<Detection> parts, size_t device_count);

}  // namespace gpuledger
