#include "read/json/element_shape.h"

#include <algorithm>
#include <array>

namespace gpuledger {
namespace {

constexpr std::array<std::string_view, 7> kFirstKeys{"ph",  "name", "cat", "ts",
                                                     "pid", "tid",  "args"};

// text[at] and what follows it, as far as a scanner may look.
std::string_view ahead(std::string_view text, size_t at) {
  return text.substr(at, kLookAheadBytes);
}

// The string at the front of `text` if a colon follows it.
std::optional<std::string_view> key_at(std::string_view text, size_t at) {
  if (at >= text.size() || text[at] != '"') return {};
  const size_t end = text.find('"', at + 1);
  if (end == std::string_view::npos) return {};
  const size_t colon = skip_spaces(text, end + 1);
  if (colon >= text.size() || text[colon] != ':') return {};
  return text.substr(at + 1, end - at - 1);
}

}  // namespace

size_t skip_spaces(std::string_view text, size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

std::string_view element_key(std::string_view text, size_t at) {
  const std::string_view object = ahead(text, at);
  const auto key = key_at(object, skip_spaces(object, 1));
  if (!key ||
      std::find(kFirstKeys.begin(), kFirstKeys.end(), *key) == kFirstKeys.end())
    return {};
  return *key;
}

bool array_may_end(std::string_view text, size_t at, bool at_end) {
  const std::string_view rest = ahead(text, at);
  const size_t next = skip_spaces(rest, 1);
  if (next == rest.size()) return at_end && at + next == text.size();
  if (rest[next] == '}') return true;
  return rest[next] == ',' &&
         key_at(rest, skip_spaces(rest, next + 1)).has_value();
}

}  // namespace gpuledger
