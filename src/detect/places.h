// Where lost time comes from: lines of the user's code, or operators.
#pragma once

#include <string>
#include <vector>

#include "detect/facts.h"

namespace gpuledger {

// The lines (or operators) around the charges' owners, with their shares: at
// most three.
std::vector<Where> where_of(const DeviceFacts& facts,
                            const std::vector<Charge>& charges);

// What to record to see lines, where there are none; else empty.
std::string where_note(const DeviceFacts& facts);

// Did the recorder write Python stacks?
bool has_stacks(const Timeline& timeline);

}  // namespace gpuledger
