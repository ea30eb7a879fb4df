// Names as a report may show them: without the folders of source files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/timeline.h"

namespace gpuledger {

// Every absolute path in the text by its last part: "load /home/me/a.bin" is
// "load a.bin". What merely holds slashes ("encoder/layer 3") is no path.
std::string without_folders(std::string_view text);

// The name of a host row; of a Python frame the file's base name, its line and
// the function.
std::string printable_name(const Timeline& timeline, uint32_t row);

}  // namespace gpuledger
