#include "cli/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_code.h"

namespace gpuledger {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ParsedLine parse(std::initializer_list<const char*> words) {
  std::vector<const char*> argv = {"gpuledger"};
  argv.insert(argv.end(), words);
  return parse_line(static_cast<int>(argv.size()), argv.data());
}

TEST(Arguments, EveryOptionOfAnalyze) {
  const ParsedLine line = parse({"analyze",
                                 "a.json",
                                 "--format",
                                 "json",
                                 "-o",
                                 "out",
                                 "--json",
                                 "j",
                                 "--steps",
                                 "3:7",
                                 "--from",
                                 "1.5ms",
                                 "--to",
                                 "2s",
                                 "--window",
                                 "device",
                                 "--device",
                                 "0:1",
                                 "--memory",
                                 "512M",
                                 "--top",
                                 "3",
                                 "--fail-on",
                                 "idle>20%",
                                 "b.json",
                                 "--fail-on=DL-01>1%",
                                 "--color",
                                 "never",
                                 "--width",
                                 "100",
                                 "--self-profile",
                                 "-"});
  ASSERT_TRUE(line.arguments) << line.err;
  EXPECT_EQ(line.arguments->command->id, CommandId::analyze);
  const AnalyzeArguments& out = line.arguments->analyze;
  EXPECT_THAT(out.inputs, ElementsAre("a.json", "b.json", "-"));
  EXPECT_EQ(out.format, Format::json);
  EXPECT_EQ(out.output_file, "out");
  EXPECT_EQ(out.json_file, "j");
  EXPECT_EQ(out.options.steps, (std::pair<int64_t, int64_t>(3, 7)));
  EXPECT_EQ(out.options.from_ns, 1'500'000);
  EXPECT_EQ(out.options.to_ns, 2'000'000'000);
  EXPECT_EQ(out.options.window, AnalyzeOptions::Window::device);
  EXPECT_EQ(out.options.device, "0:1");
  EXPECT_EQ(out.options.memory_bytes, uint64_t{512} << 20);
  EXPECT_EQ(out.top, 3u);
  ASSERT_EQ(out.fail_on.size(), 2u);
  EXPECT_EQ(out.fail_on[1].name, "DL-01");
  EXPECT_EQ(out.color, Color::never);
  EXPECT_EQ(out.width, 100u);
  EXPECT_TRUE(out.self_profile);
}

TEST(Arguments, WhatIsNotGivenKeepsItsDefault) {
  const ParsedLine line = parse({"analyze"});
  ASSERT_TRUE(line.arguments);
  const AnalyzeArguments& out = line.arguments->analyze;
  EXPECT_TRUE(out.inputs.empty());
  EXPECT_EQ(out.format, Format::text);
  EXPECT_EQ(out.options.memory_bytes, uint64_t{2} << 30);
  EXPECT_FALSE(out.options.steps || out.options.from_ns || out.width);
}

TEST(Arguments, AWrongLineSaysWhereToLook) {
  using Words = std::initializer_list<const char*>;
  for (const Words& words :
       {Words{}, Words{"analyse", "x"}, Words{"--what"},
        Words{"analyze", "--what"}, Words{"list"},
        Words{"analyze", "x", "--format", "xml"},
        Words{"analyze", "x", "--format="}, Words{"analyze", "x", "--top", "0"},
        Words{"analyze", "x", "--width", "wide"},
        Words{"analyze", "x", "--from", "12"},
        Words{"analyze", "x", "--from", "2s", "--to", "1s"},
        Words{"analyze", "x", "--fail-on", "idle"}}) {
    const ParsedLine line = parse(words);
    EXPECT_FALSE(line.arguments);
    EXPECT_EQ(line.exit_code, kWrongUsage);
    EXPECT_THAT(line.err, HasSubstr("--help'.\n"));
    EXPECT_EQ(line.out, "");
  }
}

TEST(Arguments, HelpAndVersionEndWell) {
  for (const char* word : {"--help", "-h", "--version"}) {
    const ParsedLine line = parse({word});
    EXPECT_FALSE(line.arguments);
    EXPECT_EQ(line.exit_code, kOk);
    EXPECT_NE(line.out, "");
    EXPECT_EQ(line.err, "");
  }
}

}  // namespace
}  // namespace gpuledger
