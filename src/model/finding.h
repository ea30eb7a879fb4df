// A finding: one cause that costs time, with its proof, price and remedy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger {

enum class Certainty : uint8_t { proven, likely, inconclusive };

struct EvidenceEvent {
  std::string name;
  std::string device;  // "0:0", or empty: the event is on a host thread
  std::string thread;  // thread id, or empty
  int64_t start_ns = 0, dur_ns = 0;  // start is counted from origin_ns
};

struct Evidence {
  std::string metric;  // snake_case, with the unit as its last part
  double value = 0;
  std::string unit;  // ns, ratio, count, bytes, GB/s
  std::string device;
  std::optional<int64_t> start_ns, end_ns;
  std::vector<EvidenceEvent> events;
};

// A line of the user's code (or, without stacks, the operator) and its share of
// the finding's lost time. Files are base names only.
struct Where {
  std::string file;
  int line = 0;
  std::string function;
  std::string op;
  std::string module;
  double share = 0;
};

struct Gain {
  bool from_replay = false;  // else an upper bound
  int64_t low_ns_per_step = 0, high_ns_per_step = 0;
};

struct Remedy {
  std::string text;
  std::string code;  // something to paste; may be empty
};

struct Finding {
  std::string id;     // loader-single-process
  std::string cause;  // DL-01
  std::string title;
  std::string layer;     // data, transfer, launch, …
  std::string severity;  // high, medium, low: by share of the window
  Certainty certainty = Certainty::proven;
  std::string device;  // empty: holds for all devices
  std::optional<int64_t> rank;
  int64_t lost_ns_per_step = 0;
  double lost_ratio = 0;
  Gain gain;
  std::vector<Evidence> evidence;
  std::vector<Where> where;  // at most 3
  std::string where_note;    // why there is no line, and the option that
                             // records it
  Remedy remedy;
  std::string page;  // docs/findings/DL-01.md
};

struct Blocked {
  std::string id;     // of the finding
  std::string needs;  // what the input lacks and the option that records it
};

std::string_view certainty_name(Certainty certainty);

}  // namespace gpuledger
