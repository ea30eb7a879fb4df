#include "cli/cli.h"

int main(int argc, char** argv) { return gpuledger::run_cli(argc, argv); }
