// Plain matchers for the tables of names in this folder.
#pragma once

#include <cstdint>
#include <string_view>

namespace gpuledger {

enum class Match : uint8_t {
  whole,
  starts,
  ends,
  contains,
  word,  // no letter or digit beside it: "lamb" is not in "lambda"
};

bool name_matches(Match how, std::string_view needle, std::string_view name);

}  // namespace gpuledger
