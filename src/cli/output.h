// The only way out: results to standard output or a file, notes to standard
// error.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace gpuledger {

// `path` "-" or empty: standard output, whose reader may have gone away: that
// is no error.
Result<void> write_output(const std::string& path, std::string_view text);

// "gpuledger: text" on standard error.
void print_note(std::string_view text);

// FILE: offset N: text, of what is known.
std::string error_text(const Error& error);

}  // namespace gpuledger
