// The program: parses the line, runs the command, returns the exit code.
#pragma once

namespace gpuledger {

int run_cli(int argc, const char* const* argv);

}  // namespace gpuledger
