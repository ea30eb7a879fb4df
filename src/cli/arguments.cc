#include "cli/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "render/display.h"

namespace gpuledger {
namespace {

// Values that need more than CLI11's conversions, as they were given.
struct RawAnalyze {
  std::string format, window, steps, from, to, memory, color;
  std::vector<std::string> fail_on;
  std::string width, top;
};

void declare_analyze(CLI::App& app, AnalyzeArguments& out, RawAnalyze& raw) {
  const auto value = [&app](const char* name, std::string& target,
                            const char* type, const char* what) {
    app.add_option(name, target, what)->type_name(type);
  };
  app.add_option("INPUT", out.inputs, "traces or folders of them; - is stdin")
      ->type_name("");
  value("--format", raw.format, "text|json", "on standard output (text)");
  value("-o,--output", out.output_file, "FILE",
        "write there instead of standard output");
  value("--json", out.json_file, "FILE", "write the JSON report besides");
  value("--steps", raw.steps, "A:B", "only these steps, both ends included");
  value("--from", raw.from, "TIME",
        "begin so long after the first event: 120ms");
  value("--to", raw.to, "TIME", "end so long after the first event: 1.5s");
  value("--window", raw.window, "steps|device",
        "edges of the ledger: steps, or first to last");
  value("--device", out.options.device, "ID",
        "only this GPU, RANK:DEVICE, such as 0:1");
  value("--memory", raw.memory, "SIZE", "memory for the trace's rows (2G)");
  value("--top", raw.top, "N", "findings and kernels shown as text (5)");
  app.add_option("--fail-on", raw.fail_on,
                 "exit 1 if an account or cause is above N %")
      ->type_name("'NAME>N%'")
      ->allow_extra_args(false);
  value("--color", raw.color, "auto|always|never", "colours of the text");
  value("--width", raw.width, "N", "columns of the text");
  app.add_flag("--self-profile", out.self_profile,
               "print the time and memory of this run");
}

using Choices =
    std::initializer_list<std::pair<std::string_view, unsigned char>>;

Result<unsigned char> choose(std::string_view text, Choices choices) {
  std::string names;
  for (const auto& choice : choices) {
    if (choice.first == text) return choice.second;
    if (!names.empty()) names += ", ";
    names += choice.first;
  }
  return fail(ErrorCode::usage,
              fmt::format("'{}' is none of: {}", text, names));
}

template <class Enum>
unsigned char code(Enum value) {
  return static_cast<unsigned char>(value);
}

Result<size_t> parse_count(std::string_view text) {
  constexpr size_t kMost = 100'000;
  size_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value == 0 || value > kMost)
    return fail(ErrorCode::usage,
                fmt::format("'{}' is not a number from 1 to {}", text, kMost));
  return value;
}

// Reads one option's text, where given; the first failure is kept.
class OptionReader {
 public:
  template <class Parse, class Store>
  void read(std::string_view name, const std::string& text, Parse parse,
            Store store) {
    if (text.empty() || !error_.empty()) return;
    if (auto value = parse(text))
      store(*value);
    else
      error_ = fmt::format("{}: {}", name, value.error().text);
  }
  std::string error() const { return error_; }

 private:
  std::string error_;
};

// Two reports in one place would spoil each other. The error, or empty.
std::string output_conflict(const AnalyzeArguments& out) {
  const auto is_stdout = [](const std::string& file) {
    return file.empty() || file == "-";
  };
  if (out.json_file.empty()) return {};
  if (is_stdout(out.json_file) && is_stdout(out.output_file))
    return "--json -: the report goes there already; say --format json";
  std::error_code error;
  const auto path = [&error](const std::string& file) {
    return std::filesystem::weakly_canonical(file, error);
  };
  if (path(out.json_file) == path(out.output_file))
    return fmt::format("-o and --json both name {}", out.json_file);
  return {};
}

// The error, or empty.
std::string read_analyze(const RawAnalyze& raw, AnalyzeArguments& out) {
  OptionReader reader;
  AnalyzeOptions& options = out.options;
  using Window = AnalyzeOptions::Window;
  const auto one_of = [](Choices choices) {
    return [choices](std::string_view text) { return choose(text, choices); };
  };
  const Choices formats = {{"text", code(Format::text)},
                           {"json", code(Format::json)}};
  const Choices windows = {{"steps", code(Window::steps)},
                           {"device", code(Window::device)}};
  const Choices colors = {{"auto", code(Color::automatic)},
                          {"always", code(Color::always)},
                          {"never", code(Color::never)}};
  reader.read("--format", raw.format, one_of(formats),
              [&](auto v) { out.format = static_cast<Format>(v); });
  reader.read("--window", raw.window, one_of(windows),
              [&](auto v) { options.window = static_cast<Window>(v); });
  reader.read("--color", raw.color, one_of(colors),
              [&](auto v) { out.color = static_cast<Color>(v); });
  reader.read("--steps", raw.steps, parse_step_range,
              [&](auto v) { options.steps = v; });
  reader.read("--from", raw.from, parse_time_ns,
              [&](auto v) { options.from_ns = v; });
  reader.read("--to", raw.to, parse_time_ns,
              [&](auto v) { options.to_ns = v; });
  reader.read("--memory", raw.memory, parse_memory_bytes,
              [&](auto v) { options.memory_bytes = v; });
  reader.read("--top", raw.top, parse_count, [&](auto v) { out.top = v; });
  reader.read("--width", raw.width, parse_count,
              [&](auto v) { out.width = v; });
  for (const std::string& bound : raw.fail_on)
    reader.read("--fail-on", bound, parse_bound,
                [&](auto v) { out.fail_on.push_back(std::move(v)); });
  if (!reader.error().empty()) return reader.error();
  if (std::string error = output_conflict(out); !error.empty()) return error;
  if (options.from_ns && options.to_ns && *options.from_ns >= *options.to_ns)
    return "--to must be later than --from";
  return {};
}

ParsedLine wrong_usage(std::string_view text, std::string_view command) {
  ParsedLine line;
  line.exit_code = kWrongUsage;
  line.err = fmt::format("gpuledger: {}\nSee 'gpuledger {}{}--help'.\n",
                         printable(text), command, command.empty() ? "" : " ");
  return line;
}

std::string examples() {
  std::string text = "Examples:\n";
  for (const Command& command : kCommands)
    text += fmt::format("  {}\n", command.example);
  text +=
      "Exit codes: 0 report written, 1 --fail-on crossed, 2 wrong usage,\n"
      "            3 an input could not be read, 4 output not written";
  return text;
}

std::string command_names() {
  std::string names;
  for (const Command& command : kCommands)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", command.name);
  return names;
}

// The commonest slip is to leave the command out.
ParsedLine unknown_command(const char* word) {
  return wrong_usage(
      fmt::format("'{}' is no command ({}); to read a trace: gpuledger "
                  "analyze {}",
                  word, command_names(), word),
      "");
}

bool is_command(std::string_view word) {
  return std::any_of(
      kCommands.begin(), kCommands.end(),
      [word](const Command& command) { return command.name == word; });
}

}  // namespace

ParsedLine parse_line(int argc, const char* const* argv) {
  if (argc < 2)
    return wrong_usage("no command; there are: " + command_names(), "");
  if (argv[1][0] != '-' && !is_command(argv[1]))
    return unknown_command(argv[1]);
  Arguments arguments;
  RawAnalyze raw;
  CLI::App app(
      "Enters every nanosecond of a GPU under one cause: compute,\n"
      "communication, copies, or why it was idle.",
      "gpuledger");
  app.get_formatter()->column_width(26);
  app.set_version_flag("--version", "gpuledger " GPULEDGER_VERSION);
  app.require_subcommand(1);
  app.footer(examples());
  for (const Command& command : kCommands) {
    CLI::App& sub = *app.add_subcommand(std::string(command.name),
                                        std::string(command.what));
    sub.footer(fmt::format("Example: {}", command.example));
    sub.callback([&] { arguments.command = &command; });
    switch (command.id) {
      case CommandId::analyze:
        declare_analyze(sub, arguments.analyze, raw);
        break;
      case CommandId::explain:
        sub.add_option("NAME", arguments.subject,
                       "cause, account or input note")
            ->type_name("")
            ->required();
        break;
      case CommandId::list:
        sub.add_option("WHAT", arguments.subject,
                       "accounts, causes, imports or readers")
            ->type_name("")
            ->required();
        break;
    }
  }
  ParsedLine line;
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    line.out = app.help();
    return line;
  } catch (const CLI::CallForVersion& version) {
    line.out = std::string(version.what()) + "\n";
    return line;
  } catch (const CLI::ParseError& error) {
    return wrong_usage(error.what(), is_command(argv[1]) ? argv[1] : "");
  }
  if (std::string error = read_analyze(raw, arguments.analyze); !error.empty())
    return wrong_usage(error, "analyze");
  line.arguments = std::move(arguments);
  return line;
}

}  // namespace gpuledger
