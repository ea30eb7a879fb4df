#include "read/kineto/event.h"

namespace gpuledger {
namespace {

namespace ondemand = simdjson::ondemand;

// The key as it is written. Keys with escapes match nothing we look for.
std::string_view raw_key(ondemand::field& field) {
  const char* begin = field.key().raw();
  const char* end = begin;
  while (*end != '"') end += *end == '\\' ? 2 : 1;
  return {begin, static_cast<size_t>(end - begin)};
}

bool is_missing(std::string_view token) {
  const std::string_view bare = token.substr(token[0] == '-');
  return !bare.empty() && (bare[0] == 'N' || bare[0] == 'I');
}

}  // namespace

std::string_view unquoted(std::string_view token) {
  while (!token.empty() && static_cast<unsigned char>(token.back()) <= ' ')
    token.remove_suffix(1);
  if (token.size() >= 2 && token.front() == '"' && token.back() == '"')
    return token.substr(1, token.size() - 2);
  return token;
}

// A string without escapes is used where it stands.
bool EventParser::text_of(ondemand::value& value, std::string_view& text) {
  std::string_view token = unquoted(value.raw_json_token());
  if (token.find('\\') != std::string_view::npos)
    return value.get_string().get(text) == simdjson::SUCCESS;
  text = token;
  return true;
}

namespace {

struct ArgumentTarget {
  std::string_view* value = nullptr;
  bool is_text = false;
};

// Where a key of args belongs, if anywhere.
ArgumentTarget argument_target(std::string_view key, Event& event) {
  const auto only = [&](std::string_view name, std::string_view& value,
                        bool is_text = false) {
    return key == name ? ArgumentTarget{&value, is_text} : ArgumentTarget{};
  };
  switch (key.empty() ? 0 : key[0]) {
    case 'c':
      return only("correlation", event.correlation);
    case 'd':
      return key == "dtype" ? only("dtype", event.dtype, true)
                            : only("device", event.device);
    case 's':
      return only("stream", event.stream);
    case 'b':
      return only("bytes", event.bytes);
    case 'I':
      return only("In msg nelems", event.in_elements);
    case 'O':
      return only("Out msg nelems", event.out_elements);
    case 'G':
      return only("Group size", event.group_size);
    case 'C':
      return only("Collective name", event.collective, true);
    case 'P':
      return only("Process Group Name", event.group, true);
    default:
      return {};
  }
}

// Flows, metadata and counters: not looked at further.
bool is_spanless(char phase) {
  return phase == 's' || phase == 't' || phase == 'f' || phase == 'M' ||
         phase == 'C';
}

// An operator's args hold shapes, a Python frame's its number: of operators
// only a collective's matter here.
bool args_are_ignored(const Event& event) {
  const bool op = event.category == "cpu_op" || event.category == "Operator";
  return event.category == "python_function" ||
         (op && !event.name.empty() && event.name != "record_param_comms");
}

// Recorders write args last: all that matters has been read.
bool args_do_not_matter(const Event& event) {
  return event.phase != 0 && !event.pid.empty() && !event.tid.empty() &&
         !event.ts.empty() && !event.dur.empty() && args_are_ignored(event);
}

}  // namespace

bool EventParser::parse(std::string_view text, Event& event) {
  event = {};
  ondemand::document document;
  ondemand::object object;
  if (parser_.iterate(text.data(), text.size(),
                      text.size() + simdjson::SIMDJSON_PADDING)
              .get(document) != simdjson::SUCCESS ||
      document.get_object().get(object) != simdjson::SUCCESS)
    return false;
  for (auto result : object) {
    ondemand::field field;
    if (std::move(result).get(field) != simdjson::SUCCESS) return false;
    const std::string_view key = raw_key(field);
    if (key == "args" && args_do_not_matter(event)) return true;
    if (!parse_field(key, field.value(), event)) return false;
    if (is_spanless(event.phase)) return true;
  }
  return true;
}

bool EventParser::parse_field(std::string_view key, ondemand::value& value,
                              Event& event) {
  if (key == "args") return parse_args(value, event);
  std::string_view* target = nullptr;
  if (key == "ts") target = &event.ts;
  if (key == "dur") target = &event.dur;
  if (key == "pid") target = &event.pid;
  if (key == "tid") target = &event.tid;
  if (target != nullptr) {
    *target = value.raw_json_token();
    if (is_missing(*target)) {
      ++event.missing_values;
      *target = {};
    }
    return true;
  }
  if (key == "name") return text_of(value, event.name);
  if (key == "cat") return text_of(value, event.category);
  if (key == "ph") {
    const std::string_view phase = unquoted(value.raw_json_token());
    event.phase = phase.size() == 1 ? phase[0] : '?';
  }
  return true;
}

bool EventParser::parse_args(ondemand::value& value, Event& event) {
  if (args_are_ignored(event)) return true;
  ondemand::object args;
  if (value.get_object().get(args) != simdjson::SUCCESS) return true;
  for (auto result : args) {
    ondemand::field field;
    if (std::move(result).get(field) != simdjson::SUCCESS) return false;
    const ArgumentTarget target = argument_target(raw_key(field), event);
    const std::string_view token = field.value().raw_json_token();
    if (is_missing(token)) {
      ++event.missing_values;
    } else if (target.value != nullptr) {
      if (!target.is_text)
        *target.value = token;
      else if (!text_of(field.value(), *target.value))
        return false;
    }
  }
  return true;
}

}  // namespace gpuledger
