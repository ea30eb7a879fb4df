#include "cli/analyze.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "render/json.h"
#include "render/sample_report.h"

namespace gpuledger {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

// "good" is read; "bad" is not; --steps always selects nothing.
Result<Diagnosis> fake_engine(const std::vector<std::string>& inputs,
                              const AnalyzeOptions& options) {
  if (options.steps) return fail(ErrorCode::usage, "--steps selects nothing");
  Diagnosis diagnosis;
  diagnosis.phase_seconds = {{"read", 0.25}, {"ledger", 0.5}};
  for (const std::string& input : inputs) {
    if (input == "bad")
      diagnosis.failed_inputs.push_back(
          {ErrorCode::malformed, "bad", 12, "no events"});
    else
      diagnosis.report = training_report();
  }
  return diagnosis;
}

class AnalyzeCommand : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "/gpuledger_analyze_test";
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  int run() {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = analyze_with(fake_engine, arguments_);
    out_ = testing::internal::GetCapturedStdout();
    err_ = testing::internal::GetCapturedStderr();
    return code;
  }

  std::string file(const std::string& name) const {
    return folder_ + "/" + name;
  }
  static std::string content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  AnalyzeArguments arguments_;
  std::string folder_, out_, err_;
};

TEST_F(AnalyzeCommand, PrintsTextByDefault) {
  arguments_.inputs = {"good"};
  EXPECT_EQ(run(), kOk);
  EXPECT_THAT(out_, StartsWith("gpuledger " GPULEDGER_VERSION));
  EXPECT_THAT(err_, IsEmpty());
}

TEST_F(AnalyzeCommand, WritesFilesBesidesAndInstead) {
  arguments_.inputs = {"good"};
  arguments_.format = Format::json;
  arguments_.json_file = file("besides.json");
  EXPECT_EQ(run(), kOk);
  EXPECT_EQ(out_, content(file("besides.json")));
  arguments_.output_file = file("instead.json");
  const std::string printed = out_;
  EXPECT_EQ(run(), kOk);
  EXPECT_THAT(out_, IsEmpty());
  EXPECT_EQ(content(file("instead.json")), printed);
}

TEST_F(AnalyzeCommand, ReportsTheRestWhenOneInputFails) {
  arguments_.inputs = {"bad", "good"};
  EXPECT_EQ(run(), kInputFailed);
  EXPECT_THAT(out_, StartsWith("gpuledger "));
  EXPECT_EQ(err_, "gpuledger: bad: offset 12: no events\n");
}

TEST_F(AnalyzeCommand, PrintsNothingWhenAllInputsFail) {
  arguments_.inputs = {"bad"};
  arguments_.json_file = file("none.json");
  EXPECT_EQ(run(), kInputFailed);
  EXPECT_THAT(out_, IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(file("none.json")));
}

TEST_F(AnalyzeCommand, TellsARequestThatMakesNoSense) {
  arguments_.inputs = {"good"};
  arguments_.options.steps = {7, 8};
  EXPECT_EQ(run(), kWrongUsage);
  EXPECT_EQ(err_, "gpuledger: --steps selects nothing\n");
}

TEST_F(AnalyzeCommand, TellsWhatCannotBeWritten) {
  arguments_.inputs = {"good"};
  arguments_.json_file = file("missing/report.json");
  EXPECT_EQ(run(), kOutputFailed);
  EXPECT_THAT(out_, StartsWith("gpuledger "));
  EXPECT_THAT(err_, HasSubstr("report.json: cannot be written: No such file"));
}

TEST_F(AnalyzeCommand, NeverWritesOverAnInput) {
  std::ofstream(file("trace.json")) << "evidence";
  arguments_.inputs = {file("trace.json")};
  arguments_.output_file = folder_ + "/./trace.json";
  EXPECT_EQ(run(), kWrongUsage);
  EXPECT_EQ(content(file("trace.json")), "evidence");
}

TEST_F(AnalyzeCommand, ACrossedBoundIsNamed) {
  arguments_.inputs = {"good"};
  arguments_.fail_on = {parse_bound("idle>20%").value(),
                        parse_bound("communication>90%").value()};
  EXPECT_EQ(run(), kBoundCrossed);
  EXPECT_EQ(err_,
            "gpuledger: --fail-on 'idle>20%': idle is 37.6 % of the window of "
            "GPU 0:0\n");
  arguments_.fail_on.erase(arguments_.fail_on.begin());
  EXPECT_EQ(run(), kOk);
}

TEST_F(AnalyzeCommand, WithoutInputItTeachesToRecord) {
  EXPECT_EQ(run(), kWrongUsage);
  EXPECT_THAT(out_, IsEmpty());
  EXPECT_THAT(err_, HasSubstr("record_shapes=True, with_stack=False"));
}

TEST_F(AnalyzeCommand, TheProfileGoesToStandardError) {
  arguments_.inputs = {"good"};
  arguments_.self_profile = true;
  EXPECT_EQ(run(), kOk);
  EXPECT_THAT(err_, HasSubstr("profile: ledger           0.500 s\n"));
  EXPECT_THAT(err_, HasSubstr("profile: total            0.750 s\n"));
  EXPECT_THAT(err_, HasSubstr("profile: peak memory"));
}

TEST_F(AnalyzeCommand, ColourOnlyWhereItIsWanted) {
  arguments_.inputs = {"good"};
  EXPECT_EQ(run(), kOk);
  EXPECT_THAT(out_, Not(HasSubstr("\x1b")));
  arguments_.color = Color::always;
  EXPECT_EQ(run(), kOk);
  EXPECT_THAT(out_, HasSubstr("\x1b[1m"));
}

}  // namespace
}  // namespace gpuledger
