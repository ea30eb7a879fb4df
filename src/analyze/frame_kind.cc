#include "analyze/frame_kind.h"

#include <algorithm>
#include <charconv>

#include "analyze/frame_table.h"

namespace gpuledger {
namespace {

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return c >= '0' && c <= '9';
  });
}

// The path below the folder that packages are installed in; the recorder has
// mostly cut that folder off.
std::string_view within_packages(std::string_view path) {
  constexpr std::string_view kEnd = "-packages/";
  const size_t at = path.rfind(kEnd);
  return at == std::string_view::npos ? path : path.substr(at + kEnd.size());
}

// Does `piece` begin at the start of `path` or of one of its folders?
bool has_piece(std::string_view piece, std::string_view path) {
  for (size_t at = path.find(piece); at != std::string_view::npos;
       at = path.find(piece, at + 1))
    if (at == 0 || path[at - 1] == '/') return true;
  return false;
}

bool row_holds(const FrameRow& row, const FrameName& frame) {
  if (!row.function.empty() && row.function != frame.function) return false;
  switch (row.place) {
    case Place::package:
      return within_packages(frame.path).starts_with(row.path);
    case Place::anywhere:
      return has_piece(row.path, frame.path);
    case Place::file:
      return frame.file.starts_with(row.path);
  }
  return false;
}

bool is_installed(std::string_view path) {
  for (std::string_view mark : installed_marks())
    if (path.find(mark) != std::string_view::npos) return true;
  return false;
}

// "torch/nn/modules/module.py" -> "torch"; "threading.py" -> "threading.py".
std::string_view first_piece(std::string_view path) {
  return path.substr(0, path.find('/'));
}

}  // namespace

std::optional<FrameName> parse_frame(std::string_view name) {
  for (size_t end = name.find("): "); end != std::string_view::npos;
       end = name.find("): ", end + 1)) {
    const size_t open = name.rfind('(', end);
    if (open == std::string_view::npos || open == 0) continue;
    const std::string_view digits = name.substr(open + 1, end - open - 1);
    if (!is_digits(digits)) continue;
    FrameName frame;
    const auto parsed = std::from_chars(
        digits.data(), digits.data() + digits.size(), frame.line);
    if (parsed.ec != std::errc()) continue;
    frame.path = name.substr(0, open);
    const size_t slash = frame.path.find_last_of("/\\");
    frame.file = slash == std::string_view::npos ? frame.path
                                                 : frame.path.substr(slash + 1);
    frame.function = name.substr(end + 3);
    return frame;
  }
  return std::nullopt;
}

FrameKind classify_frame(std::string_view name) {
  for (const RangeRow& row : range_rows())
    if (name_matches(row.how, row.text, name)) return row.kind;
  const std::optional<FrameName> frame = parse_frame(name);
  if (!frame) return FrameKind::none;
  for (const FrameRow& row : frame_rows())
    if (row_holds(row, *frame)) return row.kind;
  return FrameKind::none;
}

Account overhead_account(std::string_view name) {
  for (std::string_view text :
       {"Lazy Function Loading", "Module Loading", "Driver Compiler"})
    if (name.find(text) != std::string_view::npos)
      return Account::idle_compile_load;
  return Account::idle_profiler;
}

bool is_user_frame(std::string_view name) {
  const std::optional<FrameName> frame = parse_frame(name);
  if (!frame || frame->path.empty()) return false;
  const std::string_view path = frame->path;
  if (path[0] == '<') return path.starts_with("<ipython-input");
  if (is_installed(path)) return false;
  const auto roots = library_roots();
  return std::find(roots.begin(), roots.end(), first_piece(path)) ==
         roots.end();
}

}  // namespace gpuledger
