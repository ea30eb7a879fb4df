// The table of commands: help, parsing and dispatch walk it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "cli/analyze.h"
#include "cli/arguments.h"
#include "cli/catalogue.h"

namespace gpuledger {

enum class CommandId : uint8_t { analyze, explain, list };

struct Command {
  CommandId id;
  std::string_view name;
  std::string_view what;
  std::string_view example;
  int (*run)(const Arguments&);
};

inline constexpr std::array kCommands{
    Command{CommandId::analyze, "analyze",
            "read PyTorch profiler traces and write one report",
            "gpuledger analyze trace.json.gz --json report.json", run_analyze},
    Command{CommandId::explain, "explain",
            "say what a cause, an account or an input note means",
            "gpuledger explain idle.sync", run_explain},
    Command{CommandId::list, "list",
            "print a table: accounts, causes, imports or readers",
            "gpuledger list accounts", run_list},
};

}  // namespace gpuledger
