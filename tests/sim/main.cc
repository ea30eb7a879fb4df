// gpuledger-sim SCENARIO -o DIR: writes DIR/trace.json and DIR/truth.json.
#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "sim/simulate.h"
#include "sim/trace_writer.h"
#include "sim/truth.h"

namespace gpuledger::sim {
namespace {

constexpr std::string_view kUsage =
    "usage: gpuledger-sim SCENARIO -o DIR [--size BYTES] [--seed N]\n"
    "                     [--dialect new|old] [--times ns|us]\n"
    "Writes DIR/trace.json, a simulated profiler trace, and DIR/truth.json,\n"
    "what a reader of it should find. Example:\n"
    "  gpuledger-sim examples/slow_transformer.txt -o out\n";

struct Arguments {
  std::string scenario, folder;
  RunOptions run;
  bool old_dialect = false, integer_us = false;
};

template <class Number>
bool number(std::string_view text, Number& out) {
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && out >= 0;
}

bool set_option(std::string_view name, std::string_view value,
                Arguments& arguments) {
  if (name == "-o") {
    arguments.folder = value;
    return true;
  }
  if (name == "--size") return number(value, arguments.run.bytes);
  if (name == "--seed") return number(value, arguments.run.seed);
  if (name == "--dialect") {
    arguments.old_dialect = value == "old";
    return value == "old" || value == "new";
  }
  arguments.integer_us = value == "us";
  return name == "--times" && (value == "us" || value == "ns");
}

Result<Arguments> parse(int argc, char** argv) {
  Arguments out;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word.empty() || word[0] != '-') {
      out.scenario = word;
      continue;
    }
    if (i + 1 == argc || !set_option(word, argv[i + 1], out))
      return fail(ErrorCode::usage, fmt::format("bad option {}", word));
    ++i;
  }
  if (out.scenario.empty() || out.folder.empty())
    return fail(ErrorCode::usage, "a scenario and -o DIR are needed");
  return out;
}

Result<bool> run(const Arguments& arguments) {
  ASSIGN_OR_RETURN(const Scenario scenario, read_scenario(arguments.scenario));
  std::error_code error;
  std::filesystem::create_directories(arguments.folder, error);
  if (error)
    return fail(ErrorCode::io, arguments.folder + ": " + error.message());
  TraceFormat format;
  format.old_dialect = arguments.old_dialect;
  format.integer_us = arguments.integer_us;
  format.base_time_first = scenario.base_time_first != 0;
  format.stacks = scenario.stacks != 0;
  format.devices = scenario.devices;
  TraceWriter writer(arguments.folder + "/trace.json", format);
  RETURN_IF_ERROR(writer.open());
  const Books books = simulate(scenario, arguments.run, &writer);
  RETURN_IF_ERROR(writer.finish(0, books.end_ns, books.pids));
  TruthHeader header;
  header.scenario = std::filesystem::path(arguments.scenario).filename();
  header.seed = arguments.run.seed;
  header.resolution_ns = arguments.integer_us ? 1'000 : 1;
  header.first_ns = writer.first_ns();
  header.origin_ns = writer.epoch_ns() + writer.first_ns();
  const std::string path = arguments.folder + "/truth.json";
  std::ofstream out(path, std::ios::binary);
  out << truth_json(scenario, arguments.run, books, header);
  if (!out.flush()) return fail(ErrorCode::io, path + ": cannot be written");
  return true;
}

int simulator_main(int argc, char** argv) {
  const auto arguments = parse(argc, argv);
  if (!arguments) {
    std::fprintf(stderr, "gpuledger-sim: %s\n%s",
                 arguments.error().text.c_str(), std::string(kUsage).c_str());
    return 2;
  }
  if (const auto done = run(*arguments); !done) {
    std::fprintf(stderr, "gpuledger-sim: %s\n", done.error().text.c_str());
    return done.error().code == ErrorCode::io ? 4 : 3;
  }
  return 0;
}

}  // namespace
}  // namespace gpuledger::sim

int main(int argc, char** argv) {
  return gpuledger::sim::simulator_main(argc, argv);
}
