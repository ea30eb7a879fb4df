// `gpuledger explain NAME` and `gpuledger list WHAT`: the closed tables.
#pragma once

#include "cli/arguments.h"

namespace gpuledger {

int run_explain(const Arguments& arguments);
int run_list(const Arguments& arguments);

}  // namespace gpuledger
