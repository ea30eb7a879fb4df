// Files that are not read, by name of kind: what they are and what to record
// or convert instead.
#pragma once

#include "base/result.h"
#include "read/reader.h"

namespace gpuledger {

// The refusal of a file that no reader takes.
Error refuse_other_kind(const FileHead& head);

// True if the head is surely one of the known other kinds.
bool is_other_kind(const FileHead& head);

}  // namespace gpuledger
