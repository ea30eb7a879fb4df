// The JSON report, `gpuledger.report/1` (docs/report.schema.json).
#pragma once

#include <string>

#include "model/report.h"

namespace gpuledger {

// One object and a final newline; the same report gives the same bytes.
std::string render_json(const Report& report);

}  // namespace gpuledger
