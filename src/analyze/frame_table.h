// The tables behind frame_kind.h. Names are compared whole, case and all.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "analyze/frame_kind.h"
#include "analyze/name_match.h"

namespace gpuledger {

enum class Place : uint8_t {
  package,   // at the start of the path below site-packages
  anywhere,  // at the start of any folder or file of the path
  file,      // at the start of the file's base name
};

struct FrameRow {
  FrameKind kind;
  Place place;
  std::string_view path;
  std::string_view function;  // empty: every function there
};

struct RangeRow {
  FrameKind kind;
  Match how;
  std::string_view text;
};

std::span<const FrameRow> frame_rows();
std::span<const RangeRow> range_rows();  // ranges and built-ins

// First piece of the path of a library or of the standard library.
std::span<const std::string_view> library_roots();
// Pieces that only the path of an installed or generated file holds.
std::span<const std::string_view> installed_marks();

}  // namespace gpuledger
