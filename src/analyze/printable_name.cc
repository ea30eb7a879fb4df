#include "analyze/printable_name.h"

#include <fmt/format.h>

#include <cctype>

#include "analyze/frame_kind.h"

namespace gpuledger {
namespace {

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

// Where a path cannot go on.
bool ends_path(char c) {
  constexpr std::string_view kEnds = " \t\n\"'`()[]{}<>,;|=";
  return kEnds.find(c) != std::string_view::npos;
}

// Does an absolute path begin here: /home, ~/data, \\server, C:\Users, C:/?
bool begins_path(std::string_view text) {
  const auto slash = [&](size_t i) {
    return i < text.size() && (text[i] == '/' || text[i] == '\\');
  };
  if (text[0] == '/') return text.size() > 1 && !ends_path(text[1]);
  if (text[0] == '~') return slash(1);
  if (text[0] == '\\') return slash(1);
  return is_letter(text[0]) && text.size() > 2 && text[1] == ':' && slash(2);
}

}  // namespace

std::string without_folders(std::string_view text) {
  std::string out;
  bool at_word = true;  // a path begins a word, or follows a colon
  while (!text.empty()) {
    if (at_word && begins_path(text)) {
      size_t end = 0;
      while (end < text.size() && !ends_path(text[end])) ++end;
      const std::string_view path = text.substr(0, end);
      out += path.substr(path.find_last_of("/\\") + 1);
      text.remove_prefix(end);
      at_word = false;
      continue;
    }
    at_word = ends_path(text[0]) || text[0] == ':';
    out += text[0];
    text.remove_prefix(1);
  }
  return out;
}

std::string printable_name(const Timeline& timeline, uint32_t row) {
  const std::string_view name = timeline.names.text(timeline.host.name[row]);
  const bool frame = timeline.host.kind[row] == HostKind::frame;
  if (frame)
    if (const auto parts = parse_frame(name))
      return fmt::format("{}({}): {}", parts->file, parts->line,
                         parts->function);
  // A frame that cannot be taken apart may still begin with a path.
  if (frame && name.substr(0, 1) != "<")
    return std::string(name.substr(name.find_last_of("/\\") + 1));
  return without_folders(name);
}

}  // namespace gpuledger
