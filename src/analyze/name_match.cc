#include "analyze/name_match.h"

#include <cctype>

namespace gpuledger {
namespace {

bool is_word_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

bool has_word(std::string_view needle, std::string_view name) {
  for (size_t at = name.find(needle); at != std::string_view::npos;
       at = name.find(needle, at + 1)) {
    const size_t end = at + needle.size();
    const bool left = at == 0 || !is_word_char(name[at - 1]);
    const bool right = end == name.size() || !is_word_char(name[end]);
    if (left && right) return true;
  }
  return false;
}

}  // namespace

bool name_matches(Match how, std::string_view needle, std::string_view name) {
  switch (how) {
    case Match::whole:
      return name == needle;
    case Match::starts:
      return name.starts_with(needle);
    case Match::ends:
      return name.ends_with(needle);
    case Match::contains:
      return name.find(needle) != std::string_view::npos;
    case Match::word:
      return has_word(needle, name);
  }
  return false;
}

}  // namespace gpuledger
