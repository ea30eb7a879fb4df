// Hand-made reports for the tests of this folder and of the schema: one with
// every field set, one with as little as a report can hold.
#pragma once

#include "model/report.h"

namespace gpuledger {

inline Report minimal_report() {
  Report report;
  report.tool_version = "0.1.0";
  return report;
}

inline StepReport sample_step(const char* label, int64_t start_ns) {
  StepReport step;
  step.label = label;
  step.start_ns = start_ns;
  step.window_ns = 120'000'000;
  step.host_start_ns = start_ns - 1'000'000;
  step.host_ns = 119'000'000;
  step.accounts[Account::compute_matmul] = 40'000'000;
  step.accounts[Account::compute_elementwise] = 9'000'000;
  step.accounts[Account::compute_other] = 400'000;
  step.accounts[Account::communication_unsplit] = 24'000'000;
  step.accounts[Account::copy_h2d_pageable] = 1'500'000;
  step.accounts[Account::idle_data] = 31'200'000;
  step.accounts[Account::idle_launch_dispatch] = 8'000'000;
  step.accounts[Account::idle_launch_between] = 4'000'000;
  step.accounts[Account::idle_sync_wait] = 1'800'000;
  step.accounts[Account::idle_queue] = 60'000;
  step.accounts[Account::idle_tail] = 40'000;
  return step;
}

inline DeviceReport sample_device(const char* id) {
  DeviceReport device;
  device.id = id;
  device.name = "NVIDIA A100-SXM4-80GB";
  device.window_start_ns = 5'000'000;
  device.window_source = "steps";
  device.steps.push_back(sample_step("ProfilerStep#3", 5'000'000));
  device.steps.push_back(sample_step("ProfilerStep#4", 125'000'000));
  device.steps.front().note = "first";
  device.steps.back().note = "last";
  for (const StepReport& step : device.steps) {
    device.accounts += step.accounts;
    device.window_ns += step.window_ns;
  }
  device.reported_ratio = 0.973;
  device.compute_ratio = 49.4 / 120;
  device.host_late_communication_ns = 3'000'000;
  device.host_late_copy_ns = 200'000;
  return device;
}

inline Finding sample_finding() {
  Finding finding;
  finding.id = "loader-single-process";
  finding.cause = "DL-01";
  finding.title = "The data loader runs in the training process";
  finding.layer = "data";
  finding.severity = "high";
  finding.device = "0:0";
  finding.rank = 0;
  finding.lost_ns_per_step = 31'200'000;
  finding.lost_ratio = 0.26;
  finding.gain.high_ns_per_step = 31'200'000;
  Evidence evidence;
  evidence.metric = "loader_wait_ns";
  evidence.value = 62'400'000;
  evidence.unit = "ns";
  evidence.device = "0:0";
  evidence.start_ns = 5'000'000;
  evidence.end_ns = 245'000'000;
  evidence.events.push_back({"enumerate(DataLoader)#_SingleProcess.__next__",
                             "", "4242", 6'000'000, 31'000'000});
  finding.evidence.push_back(evidence);
  Evidence rate;
  rate.metric = "copy_rate";
  rate.value = 24.13;
  rate.unit = "GB/s";
  finding.evidence.push_back(rate);
  finding.where.push_back({"train.py", 42, "train_epoch", "", "", 0.98});
  finding.where.push_back({"", 0, "", "aten::stack", "loader", 0.02});
  finding.where_note = "Record with_stack=True to see the line.";
  finding.remedy.text =
      "Load in worker processes, so that the next batch is ready when the step "
      "ends.";
  finding.remedy.code =
      "loader = DataLoader(dataset, batch_size=64, num_workers=4,\n"
      "                    persistent_workers=True)";
  finding.page = "docs/findings/DL-01.md";
  return finding;
}

inline InputReport sample_input() {
  InputReport input;
  input.path = "runs/trace.json.gz";
  input.kind = "pytorch-trace";
  input.compression = "gzip";
  input.bytes = 12'345'678;
  input.events = 412'345;
  return input;
}

// As a user would see it: a training run on one device.
inline Report training_report() {
  Report report = minimal_report();
  report.origin_ns = 1'700'000'000'123'456'789;
  report.inputs.push_back(sample_input());
  report.framework = "PyTorch, CUDA 12.4";
  report.devices.push_back(sample_device("0:0"));
  report.devices.front().rank = 0;
  report.devices.front().tensor_ratio = 0.301;
  report.devices.front().mfu_ratio = 0.22;
  report.steps = {StepSource::profiler_step,
                  "",
                  2,
                  120'000'000,
                  120'000'000,
                  119'000'000,
                  {}};
  report.kernels = {
      {"0:0", "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn",
       "compute.matmul", 240, 80'000'000},
      {"0:0", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgs)",
       "communication.unsplit", 24, 48'000'000},
      {"0:0", "other", "compute.other", 812, 18'800'000},
  };
  report.findings.push_back(sample_finding());
  report.quiet = {"pageable-copies", "launch-bound"};
  report.blocked = {{"item-sync", "Python stacks: record with_stack=True"}};
  return report;
}

// Every optional field is there, whether or not they make sense together.
inline Report full_report() {
  Report report = training_report();
  InputReport skipped;
  skipped.path = "runs/notes.txt";
  skipped.kind = "unknown";
  skipped.skipped = "not a trace";
  report.inputs.push_back(skipped);
  report.inputs.front().truncated = true;
  report.inputs.front().read_ratio = 0.61;
  report.verdict.status = VerdictStatus::partial;
  report.verdict.reasons = {
      {"truncated", "61 % of the bytes of runs/trace.json.gz were read.",
       "Let the profiler stop before the job exits."}};
  report.steps.source = StepSource::range;
  report.steps.range_name = "train_step";
  report.steps.run_ahead_change_ratio = 0.12;
  report.cycle = CycleReport{412, 38, 12'300'000};
  report.imports = {
      {"truncated", Severity::data_loss, 1, 987'654'321,
       "The file ends early."},
      {"compressed-parts", Severity::info, 3, {}, "Read as one."}};
  HostReport host;
  host.span_ns = 240'000'000;
  host.threads = 3;
  host.top = {{"aten::mm", "op", 128, 90'000'000}};
  report.host = host;
  return report;
}

}  // namespace gpuledger
