// How the program ends. A contract that scripts rely on.
#pragma once

namespace gpuledger {

enum ExitCode : int {
  kOk = 0,            // a report was written
  kBoundCrossed = 1,  // --fail-on: crossed, or the trace carries no verdict
  kWrongUsage = 2,
  kInputFailed = 3,   // a named input could not be read
  kOutputFailed = 4,  // output could not be written
};

}  // namespace gpuledger
