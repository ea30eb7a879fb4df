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
    if (!parse_field(key, field.value(), event)) return false;
    // What carries no time span is not looked at further.
    switch (event.phase) {
      case 's':
      case 't':
      case 'f':
      case 'M':
      case 'C':
        return true;
      default:
        break;
    }
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
  // An operator's args hold shapes; only a collective's matter here.
  const bool op = event.category == "cpu_op" || event.category == "Operator";
  if (event.category == "python_function" ||
      (op && !event.name.empty() && event.name != "record_param_comms"))
    return true;
  ondemand::object args;
  if (value.get_object().get(args) != simdjson::SUCCESS) return true;
  for (auto result : args) {
    ondemand::field field;
    if (std::move(result).get(field) != simdjson::SUCCESS) return false;
    const std::string_view key = raw_key(field);
    std::string_view* target = nullptr;
    bool is_text = false;
    if (key == "correlation")
      target = &event.correlation;
    else if (key == "device")
      target = &event.device;
    else if (key == "stream")
      target = &event.stream;
    else if (key == "bytes")
      target = &event.bytes;
    else if (key == "In msg nelems")
      target = &event.in_elements;
    else if (key == "Out msg nelems")
      target = &event.out_elements;
    else if (key == "Group size")
      target = &event.group_size;
    else if (key == "Collective name")
      target = &event.collective, is_text = true;
    else if (key == "Process Group Name")
      target = &event.group, is_text = true;
    else if (key == "dtype")
      target = &event.dtype, is_text = true;
    const std::string_view token = field.value().raw_json_token();
    if (is_missing(token)) {
      ++event.missing_values;
    } else if (target != nullptr) {
      if (!is_text)
        *target = token;
      else if (!text_of(field.value(), *target))
        return false;
    }
  }
  return true;
}

}  // namespace gpuledger
