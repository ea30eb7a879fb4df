#include "read/kineto/event.h"

#include <cstring>

namespace gpuledger {
namespace {

namespace ondemand = simdjson::ondemand;

// The key as it is written, from behind its quote. Keys with escapes match
// nothing we look for. Behind the text there is room to compare with.
class RawKey {
 public:
  explicit RawKey(ondemand::field& field) : text_(field.key().raw()) {}
  char first() const { return *text_; }
  // `key` with its closing quote: is("ts\"").
  template <size_t kSize>
  bool is(const char (&key)[kSize]) const {
    static_assert(kSize - 1 <= simdjson::SIMDJSON_PADDING);
    return std::memcmp(text_, key, kSize - 1) == 0;
  }

 private:
  const char* text_;
};

// N/A, NaN, Infinity and -inf, all of which are letters.
inline bool is_missing(std::string_view token) {
  constexpr char kFirstLetter = 'A';
  if (token[0] < kFirstLetter && token[0] != '-') return false;
  const std::string_view bare = token.substr(token[0] == '-');
  if (bare.empty()) return false;
  return bare[0] == 'n' ? !bare.starts_with("null")
                        : bare[0] == 'N' || bare[0] == 'I' || bare[0] == 'i';
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
ArgumentTarget argument_target(RawKey key, EventArgs& args) {
  const auto text = [](bool is, std::string_view& value) {
    return is ? ArgumentTarget{&value, true} : ArgumentTarget{};
  };
  const auto token = [](bool is, std::string_view& value) {
    return is ? ArgumentTarget{&value, false} : ArgumentTarget{};
  };
  switch (key.first()) {
    case 'c':
      return token(key.is("correlation\""), args.correlation);
    case 'd':
      return key.is("dtype\"") ? text(true, args.dtype)
                               : token(key.is("device\""), args.device);
    case 's':
      return token(key.is("stream\""), args.stream);
    case 'b':
      return token(key.is("bytes\""), args.bytes);
    case 'I':
      return token(key.is("In msg nelems\""), args.in_elements);
    case 'O':
      return token(key.is("Out msg nelems\""), args.out_elements);
    case 'G':
      return token(key.is("Group size\""), args.group_size);
    case 'C':
      return key.is("Call stack\"")
                 ? text(true, args.call_stack)
                 : text(key.is("Collective name\""), args.collective);
    case 'P':
      return text(key.is("Process Group Name\""), args.group);
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
// only a collective's matter here, and the stacks of 2021 ("Operator").
bool args_are_ignored(const Event& event) {
  return event.category == "python_function" ||
         (event.category == "cpu_op" && !event.name.empty() &&
          event.name != "record_param_comms");
}

// Recorders write args last: all that matters has been read.
bool args_do_not_matter(const Event& event) {
  return event.phase != 0 && !event.pid.empty() && !event.tid.empty() &&
         !event.ts.empty() && !event.dur.empty() && args_are_ignored(event);
}

}  // namespace

void Event::clear() {
  if (args_read) args = {};
  phase = 0;
  category = name = pid = tid = ts = dur = {};
  missing_values = 0;
  args_passed_over = args_read = false;
}

size_t EventParser::held_bytes() const {
  constexpr size_t kPerByte = 6;  // indices of four bytes, and unescaped text
  return kPerByte * parser_.capacity();
}

bool EventParser::parse(std::string_view text, Event& event) {
  event.clear();
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
    if (!parse_field(field, event)) return false;
    if (event.args_passed_over) return true;
    if (is_spanless(event.phase)) return true;
  }
  return true;
}

bool EventParser::parse_field(ondemand::field& field, Event& event) {
  const RawKey key(field);
  ondemand::value& value = field.value();
  const auto token = [&](bool is, std::string_view& target) {
    if (!is) return true;
    target = value.raw_json_token();
    if (is_missing(target)) {
      ++event.missing_values;
      target = {};
    }
    return true;
  };
  switch (key.first()) {
    case 'a':
      if (!key.is("args\"")) return true;
      event.args_passed_over = args_do_not_matter(event);
      return event.args_passed_over || parse_args(value, event);
    case 'c':
      return !key.is("cat\"") || text_of(value, event.category);
    case 'd':
      return token(key.is("dur\""), event.dur);
    case 'n':
      return !key.is("name\"") || text_of(value, event.name);
    case 'p':
      if (key.is("ph\"")) {
        const std::string_view phase = unquoted(value.raw_json_token());
        event.phase = phase.size() == 1 ? phase[0] : '?';
        return true;
      }
      return token(key.is("pid\""), event.pid);
    case 't':
      return key.is("ts\"") ? token(true, event.ts)
                            : token(key.is("tid\""), event.tid);
    default:
      return true;
  }
}

bool EventParser::parse_args(ondemand::value& value, Event& event) {
  if (args_are_ignored(event)) return true;
  ondemand::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) return true;
  event.args_read = true;
  for (auto result : object) {
    ondemand::field field;
    if (std::move(result).get(field) != simdjson::SUCCESS) return false;
    const ArgumentTarget target = argument_target(RawKey(field), event.args);
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
