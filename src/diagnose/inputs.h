// Which files an analysis reads.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace gpuledger {

struct InputFile {
  std::string path;
  bool from_folder = false;  // if it cannot be read it is listed as skipped
};

// Folders become their files, in order of path. A path that does not exist is
// kept: reading it will say why.
std::vector<InputFile> expand_inputs(const std::vector<std::string>& paths);

}  // namespace gpuledger
