// Random JSON text for property tests.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <vector>

namespace gpuledger {

inline rc::Gen<std::string> json_string() {
  return rc::gen::map(
      rc::gen::container<std::vector<std::string>>(
          rc::gen::elementOf(std::vector<std::string>{
              "a", "B", " ", "{", "}", "[", "]", ",", ":", "\\\"", "\\\\",
              "\\n", "\\u00e9", "\xc3\xa9", "\\ud83d\\ude00", "/", "N/A"})),
      [](const std::vector<std::string>& parts) {
        std::string text = "\"";
        for (const auto& part : parts) text += part;
        return text + "\"";
      });
}

inline rc::Gen<std::string> json_value(int depth);

// `open` items `close`, each item preceded by a key if it is an object's.
inline rc::Gen<std::string> json_container(int depth, bool object) {
  const auto space = rc::gen::elementOf(
      std::vector<std::string>{"", " ", "\n", "\n    ", "\t"});
  const auto item =
      rc::gen::tuple(space, json_string(), space, json_value(depth - 1), space);
  return rc::gen::map(
      rc::gen::resize(
          4, rc::gen::container<
                 std::vector<std::tuple<std::string, std::string, std::string,
                                        std::string, std::string>>>(item)),
      [object](const auto& items) {
        std::string text = object ? "{" : "[";
        for (const auto& [before, key, between, value, after] : items) {
          if (text.size() > 1) text += ',';
          text += before;
          if (object) text += key + ":" + between;
          text += value + after;
        }
        return text + (object ? "}" : "]");
      });
}

inline rc::Gen<std::string> json_value(int depth) {
  const auto scalar = rc::gen::oneOf(
      json_string(),
      rc::gen::elementOf(std::vector<std::string>{
          "0", "-1", "12.5", "1e9", "true", "false", "null", "1623142623460"}));
  if (depth == 0) return scalar;
  return rc::gen::oneOf(scalar, json_container(depth, true),
                        json_container(depth, false));
}

// An object or a list.
inline rc::Gen<std::string> json_text() {
  return rc::gen::oneOf(json_container(3, true), json_container(3, false));
}

}  // namespace gpuledger
