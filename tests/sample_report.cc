// Prints a hand-made report as JSON, for the check against the schema.
#include "render/sample_report.h"

#include <cstdio>
#include <string_view>

#include "render/json.h"

int main(int argc, char** argv) {
  using namespace gpuledger;
  const std::string_view which = argc == 2 ? argv[1] : "";
  if (which != "full" && which != "training" && which != "minimal") {
    std::fputs("usage: sample_report full|training|minimal\n", stderr);
    return 2;
  }
  const Report report = which == "full"       ? full_report()
                        : which == "training" ? training_report()
                                              : minimal_report();
  std::fputs(render_json(report).c_str(), stdout);
  return 0;
}
