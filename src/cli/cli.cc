#include "cli/cli.h"

#include <csignal>
#include <cstdio>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/output.h"

namespace gpuledger {

int run_cli(int argc, const char* const* argv) {
  // A reader that goes away is seen as EPIPE, and ends the output quietly.
  std::signal(SIGPIPE, SIG_IGN);
  const ParsedLine line = parse_line(argc, argv);
  if (line.arguments) return line.arguments->command->run(*line.arguments);
  std::fputs(line.err.c_str(), stderr);
  if (const Result<void> result = write_output("", line.out); !result) {
    print_note(error_text(result.error()));
    return kOutputFailed;
  }
  return line.exit_code;
}

}  // namespace gpuledger
