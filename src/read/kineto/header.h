// What stands around the events of a Kineto trace: rank, devices, versions.
// Only an allow-list is ever looked at.
#pragma once

#include <string>

#include "model/timeline.h"

namespace gpuledger {

// `header` is the trace's top level without its events. What cannot be read is
// counted and left out.
void read_header(const std::string& header, Timeline& timeline);

// Of a text that was cut before its events: false if it has keys, and none that
// a trace has.
bool may_be_trace_header(const std::string& header);

}  // namespace gpuledger
