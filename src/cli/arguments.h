// The command line as a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/parse.h"
#include "cli/terminal.h"
#include "model/analyze_options.h"

namespace gpuledger {

struct Command;

enum class Format : uint8_t { text, json };

struct AnalyzeArguments {
  std::vector<std::string> inputs;
  AnalyzeOptions options;
  Format format = Format::text;
  std::string output_file;  // empty: standard output
  std::string json_file;    // empty: none besides
  size_t top = 5;
  std::vector<Bound> fail_on;
  Color color = Color::automatic;
  std::optional<size_t> width;
  bool self_profile = false;
};

struct Command;

struct Arguments {
  const Command* command = nullptr;
  AnalyzeArguments analyze;
  std::string subject;  // of `list` and `explain`
};

// Either a command to run, or the end of the program: help, version, or a
// wrong line.
struct ParsedLine {
  std::optional<Arguments> arguments;
  int exit_code = 0;
  std::string out, err;
};

ParsedLine parse_line(int argc, const char* const* argv);

}  // namespace gpuledger
