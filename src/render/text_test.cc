#include "render/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "render/display.h"
#include "render/sample_report.h"

namespace gpuledger {
namespace {

std::string text_of(const Report& report) { return render_text(report, {}); }

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  }
  return lines;
}

TEST(RenderText, ATrainingRun) {
  EXPECT_EQ(text_of(training_report()), R"(gpuledger 0.1.0  PyTorch, CUDA 12.4
input     runs/trace.json.gz  gzip, 12.3 MB, 412,345 events
steps     2 steps named by the profiler
step time device p50 120 ms, p95 120 ms; host p50 119 ms

GPU 0:0  NVIDIA A100-SXM4-80GB
  the driver's tool shows     97.3 %  ████████████████████████████████████████▉
  really computing            41.2 %  █████████████████▎
    on tensor cores           30.1 %  ████████████▋
    of the dense peak         22.0 %  █████████▎
  not computing               58.8 %  idle 37.6 %, communication 20.0 %, copy
                                      1.2 %
    most idle time            26.0 %  idle.data: the host is in the data loader

FIRST FIX  The data loader runs in the training process: 31.2 ms per step,
           26.0 % of the window
           train.py:42 in train_epoch
           loader = DataLoader(dataset, batch_size=64, num_workers=4,
                               persistent_workers=True)

LEDGER  GPU 0:0                    ms/step    share  window 240 ms
  compute                            49.40   41.2 %  ███████████▏
    matmul                           40.00   33.3 %  █████████
    elementwise                       9.00    7.5 %  ██
    other                             0.40    0.3 %  ▏
  idle                               45.10   37.6 %  ██████████▏
    data                             31.20   26.0 %  ███████
    launch                           12.00   10.0 %  ██▊
      dispatch                        8.00    6.7 %  █▊
      between                         4.00    3.3 %  ▉
    sync.wait                         1.80    1.5 %  ▍
    2 smaller                         0.10    0.1 %
  communication.unsplit              24.00   20.0 %  █████▍
  copy.h2d.pageable                   1.50    1.2 %  ▍
  total                             120.00  100.0 %
  For 1.3 % of the window communication or a copy ran alone while no kernel was
  queued: without it the GPU would have been idle.

KERNELS, summed              ms/step    count  name
  compute.matmul               40.00      240  ampere_bf16_s16816gemm_bf16_128x…
  communication.unsplit        24.00       24  ncclDevKernel_AllReduce_Sum_bf16…

FINDINGS

1. The data loader runs in the training process  DL-01  proven, high
   costs      31.2 ms per step, 26.0 % of the window of GPU 0:0
   fix gives  at most 31.2 ms per step (an upper bound)
   where      train.py:42 in train_epoch (98.0 %)
              aten::stack, module loader (2.0 %)
              Record with_stack=True to see the line.
   proof      loader wait 62.4 ms on GPU 0:0, from 5 ms to 245 ms
                enumerate(DataLoader)#_SingleProces…  31 ms at 6 ms, thread 4242
              copy rate 24.1 GB/s
   fix        Load in worker processes, so that the next batch is ready when the
              step ends.

     loader = DataLoader(dataset, batch_size=64, num_workers=4,
                         persistent_workers=True)

   read more  docs/findings/DL-01.md

looked for, not found   pageable-copies, launch-bound

COULD NOT BE JUDGED
  item-sync               needs Python stacks: record with_stack=True
)");
}

TEST(RenderText, APartialTraceSaysAtLeast) {
  Report report = full_report();
  report.findings.clear();
  const std::string text = text_of(report);
  EXPECT_TRUE(contains(text, R"(
▌ PART OF THE TRACE IS MISSING
▌ Busy shares are lower bounds. Idle time looks the same as lost records: it is
▌ not attributed.
▌ 61 % of the bytes of runs/trace.json.gz were read.
▌   → Let the profiler stop before the job exits.
)")) << text;
  EXPECT_TRUE(contains(text, "really computing, at least  41.2 %")) << text;
  EXPECT_TRUE(contains(text, R"(
INPUT NOTES                  count   first at byte
  truncated                      1       987654321
    The file ends early.
  compressed-parts               3
    Read as one.
)")) << text;
}

TEST(RenderText, ManyDevicesAreATableWithTheWorstInDetail) {
  Report report = training_report();
  for (const char* id : {"1:0", "2:0"})
    report.devices.push_back(sample_device(id));
  report.devices[1].compute_ratio = 0.3;
  const std::string text = text_of(report);
  EXPECT_TRUE(
      contains(text, "GPU 1:0  NVIDIA A100-SXM4-80GB  (computes least)"))
      << text;
  EXPECT_TRUE(contains(text, R"(
DEVICES, THE LEAST COMPUTING FIRST
  device            reported   compute    comm    copy    idle  unattributed
  1:0                 97.3 %    30.0 %  20.0 %   1.2 %  37.6 %         0.0 %
  0:0                 97.3 %    41.2 %  20.0 %   1.2 %  37.6 %         0.0 %
  2:0                 97.3 %    41.2 %  20.0 %   1.2 %  37.6 %         0.0 %
)")) << text;
  EXPECT_FALSE(contains(text, "LEDGER  GPU 0:0"));
}

TEST(RenderText, ATraceWithoutGpuActivityShowsTheHost) {
  Report report = minimal_report();
  report.verdict.status = VerdictStatus::no_gpu_activity;
  report.host = full_report().host;
  EXPECT_EQ(text_of(report), R"(gpuledger 0.1.0

▌ NO GPU ACTIVITY IN THE TRACE

HOST  240 ms, 3 threads
   self time     count  kind      name
       90 ms       128  op        aten::mm
)");
}

TEST(RenderText, OutlierStepsAreNamed) {
  Report report = training_report();
  report.devices.front().steps.back().note = "outlier";
  EXPECT_TRUE(
      contains(text_of(report), "\n  outliers  ProfilerStep#4 120 ms\n"));
}

TEST(RenderText, TopLimitsWhatIsShownAndSaysSo) {
  Report report = training_report();
  report.findings.push_back(report.findings.front());
  report.findings.back().id = "another-cause";
  TextStyle style;
  style.top = 1;
  const std::string text = render_text(report, style);
  EXPECT_FALSE(contains(text, "\n2. "));
  EXPECT_TRUE(contains(text, "   and 1 more (--top N)\n"));
  EXPECT_TRUE(contains(text, "  and 1 more (--top N)\n"));
}

TEST(RenderText, OneCauseOnSeveralDevicesIsOneFinding) {
  Report report = training_report();
  for (const char* device : {"1:0", "2:0"}) {
    report.findings.push_back(report.findings.front());
    report.findings.back().device = device;
    report.findings.back().lost_ns_per_step = 5'000'000;
  }
  const std::string text = text_of(report);
  EXPECT_FALSE(contains(text, "\n2. "));
  EXPECT_TRUE(contains(
      text, "   also       5 ms per step of GPU 1:0, 5 ms of GPU 2:0\n"));
  report.findings.resize(7, report.findings.back());
  EXPECT_TRUE(contains(text_of(report), " and of 2 more\n"));
}

TEST(RenderText, WithoutStepsNothingIsPerStep) {
  Report report = training_report();
  report.steps = {};
  for (DeviceReport& device : report.devices) device.steps.clear();
  EXPECT_FALSE(contains(text_of(report), "per step"));
}

TEST(RenderText, CodeToPasteIsNotCutByANarrowTerminal) {
  Report report = training_report();
  const std::string code = "x = " + std::string(80, 'y') + "\nz = \x1b[0m";
  report.findings.front().remedy.code = code;
  TextStyle style;
  style.width = 60;
  const std::string text = render_text(report, style);
  EXPECT_TRUE(contains(text, "\n     x = " + std::string(80, 'y') + "\n"));
  EXPECT_TRUE(contains(text, "\n     z = \\x1b[0m\n"));
}

TEST(RenderText, AReplayedGainIsAnInterval) {
  Report report = training_report();
  report.findings.front().gain = {true, 20'000'000, 31'200'000};
  EXPECT_TRUE(contains(text_of(report),
                       "fix gives  20 ms to 31.2 ms per step, by replay\n"));
}

TEST(RenderText, AMetricLeavesItsUnitToTheValue) {
  Report report = training_report();
  Evidence evidence = report.findings.front().evidence.back();
  const auto printed = [&](const char* metric, double value, const char* unit) {
    evidence.metric = metric;
    evidence.value = value;
    evidence.unit = unit;
    report.findings.front().evidence = {evidence};
    const std::string text = text_of(report);
    const size_t at = text.find("proof      ") + 11;
    return text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(printed("loader_ns_per_step", 5e6, "ns"), "loader per step 5 ms");
  EXPECT_EQ(printed("pageable_rate_gb_per_s", 9.94, "GB/s"),
            "pageable rate 9.94 GB/s");
  EXPECT_EQ(printed("loader_calls_per_step", 1, "count"),
            "loader calls per step 1");
  EXPECT_EQ(printed("ns", 1, "ns"), "ns 1 ns");
}

TEST(RenderText, ColourOnlyWhenAsked) {
  EXPECT_FALSE(contains(text_of(full_report()), "\x1b"));
  TextStyle style;
  style.color = true;
  const std::string colored = render_text(full_report(), style);
  std::string bare;
  for (size_t i = 0; i < colored.size(); ++i) {
    if (colored[i] == '\x1b')
      i = colored.find('m', i);
    else
      bare += colored[i];
  }
  EXPECT_TRUE(contains(colored, "\x1b[31m"));
  // Spaces at the end of a coloured line are the only difference.
  const std::vector<std::string> plain = lines_of(text_of(full_report()));
  const std::vector<std::string> stripped = lines_of(bare);
  ASSERT_EQ(plain.size(), stripped.size());
  for (size_t i = 0; i < plain.size(); ++i)
    EXPECT_EQ(plain[i],
              stripped[i].substr(0, stripped[i].find_last_not_of(' ') + 1));
}

// Every text that comes from a trace, replaced by something nasty.
Report hostile_report() {
  std::string nasty = "\x1b[2J\xFF\r\n层🙂\u202E";
  while (nasty.size() < 5000) nasty += "long name ]0;title\x07 层层";
  Report report = full_report();
  report.framework = nasty;
  for (InputReport& input : report.inputs) input.path = input.kind = nasty;
  report.inputs.back().skipped = nasty;
  report.verdict.reasons = {{nasty, nasty, nasty}};
  report.steps.range_name = nasty;
  for (DeviceReport& device : report.devices) {
    for (StepReport& step : device.steps) {
      step.label = nasty;
      step.note = "outlier";
    }
    device.name = nasty;
    device.id = nasty;
  }
  for (KernelReport& kernel : report.kernels)
    kernel.device = kernel.name = kernel.klass = nasty;
  for (Finding& finding : report.findings) {
    finding.title = finding.device = finding.where_note = finding.page = nasty;
    finding.cause = "DL-01";
    finding.remedy.text = nasty;
    finding.remedy.code = "x.item()";  // ours, not the trace's
    for (Where& where : finding.where)
      where.file = where.function = where.op = where.module = nasty;
    for (Evidence& evidence : finding.evidence) {
      evidence.metric = evidence.unit = evidence.device = nasty;
      for (EvidenceEvent& event : evidence.events)
        event.name = event.device = event.thread = nasty;
    }
  }
  report.quiet = {nasty};
  report.blocked = {{nasty, nasty}};
  report.imports.front().id = report.imports.front().advice = nasty;
  report.host->top.front().name = report.host->top.front().kind = nasty;
  return report;
}

TEST(RenderText, HostileNamesNeitherBreakTheWidthNorReachTheTerminal) {
  for (const size_t devices : {1, 3}) {
    Report report = hostile_report();
    report.devices.resize(devices, report.devices.front());
    for (const size_t width :
         {size_t{0}, size_t{60}, size_t{80}, size_t{200}}) {
      TextStyle style;
      style.width = width;
      for (const std::string& line : lines_of(render_text(report, style))) {
        EXPECT_EQ(printable(line), line);
        EXPECT_LE(display_columns(line), std::max(width, kMinTextWidth))
            << line;
      }
    }
  }
}

}  // namespace
}  // namespace gpuledger
