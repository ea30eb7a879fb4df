// The name of a host row as a report may show it: of a Python frame only the
// file's base name, its line and the function.
#pragma once

#include <fmt/format.h>

#include <string>

#include "analyze/frame_kind.h"
#include "model/timeline.h"

namespace gpuledger {

inline std::string printable_name(const Timeline& timeline, uint32_t row) {
  const std::string_view name = timeline.names.text(timeline.host.name[row]);
  if (timeline.host.kind[row] == HostKind::frame)
    if (const auto frame = parse_frame(name))
      return fmt::format("{}({}): {}", frame->file, frame->line,
                         frame->function);
  // A frame that cannot be taken apart may still begin with a path.
  if (timeline.host.kind[row] == HostKind::frame && name.substr(0, 1) != "<")
    return std::string(name.substr(name.find_last_of("/\\") + 1));
  return std::string(name);
}

}  // namespace gpuledger
