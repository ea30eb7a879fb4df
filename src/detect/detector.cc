#include "detect/detector.h"

#include <fmt/format.h>

#include <algorithm>

#include "detect/data_loader.h"
#include "detect/launch.h"
#include "detect/places.h"
#include "detect/thresholds.h"
#include "detect/transfer.h"

namespace gpuledger {

namespace {

constexpr std::string_view kNeedsHost =
    "what the host did: record with ProfilerActivity.CPU";

std::string_view lacks_operators(const DeviceFacts& facts) {
  return has_rows(facts.timeline(), HostKind::op) ? "" : kNeedsHost;
}

std::string_view lacks_loader(const DeviceFacts& facts) {
  const Timeline& timeline = facts.timeline();
  return has_rows(timeline, HostKind::op) ||
                 has_rows(timeline, HostKind::range) ||
                 has_rows(timeline, HostKind::frame)
             ? ""
             : kNeedsHost;
}

std::string_view lacks_calls(const DeviceFacts& facts) {
  return has_rows(facts.timeline(), HostKind::api) ? "" : kNeedsHost;
}

std::string_view lacks_memory_kinds(const DeviceFacts& facts) {
  const DeviceRows& device = facts.timeline().device;
  bool unknown = false;
  for (uint32_t row = facts.device_rows.begin; row < facts.device_rows.end;
       ++row) {
    if (device.copy[row] != CopyKind::h2d) continue;
    if (device.host_memory[row] != HostMemory::unknown) return "";
    unknown = true;
  }
  return unknown ? "the kind of host memory of copies, which ROCm does not "
                   "record"
                 : "";
}

}  // namespace

const std::array<Detector, kDetectorCount> kDetectors = {{
    {"loader-single-process", "DL-01",
     "The data loader runs in the training process", "data",
     "Load batches in worker processes, so that the next one is ready when "
     "the GPU needs it.",
     "DataLoader(dataset, batch_size=..., num_workers=4, pin_memory=True,\n"
     "           persistent_workers=True)",
     true, false, lacks_loader, find_loader_single_process},
    {"pageable-copies", "HD-01",
     "Batches are copied to the GPU from pageable memory", "transfer",
     "Pin the batches and copy them without blocking: the copy runs at full "
     "rate and the host keeps its lead.",
     "DataLoader(..., pin_memory=True)\n"
     "batch = batch.to(device, non_blocking=True)",
     true, false, lacks_memory_kinds, find_pageable_copies},
    {"item-sync", "HD-03", "The host reads values back and waits each time",
     "transfer",
     "Keep the value on the GPU: log it every n-th step, choose between "
     "tensors without asking the host.",
     "total += loss.detach()              # not loss.item()\n"
     "if step % 100 == 0:\n"
     "    print(total.item() / 100)\n"
     "y = torch.where(mask, a, b)         # not: if mask.any(): ...",
     true, false, lacks_operators, find_scalar_reads},
    {"launch-bound", "LK-01", "The GPU waits for kernels to be launched",
     "launch",
     "Launch fewer, larger kernels: compile the model, replay it as a CUDA "
     "graph, or raise the batch size.",
     "model = torch.compile(model, mode=\"reduce-overhead\")", true, true,
     lacks_calls, find_launch_bound},
}};

namespace {

std::string_view severity_of(double lost_ratio) {
  if (lost_ratio >= kSeverityHighMin_ratio) return "high";
  if (lost_ratio >= kSeverityMediumMin_ratio) return "medium";
  return "low";
}

// Did so much of the input get lost that its figures may be wrong?
bool is_damaged(const Timeline& timeline) {
  const ImportStats& imports = timeline.imports;
  int64_t lost_events = 0;
  for (const ImportRow& row : kImports) {
    if (row.severity != Severity::data_loss) continue;
    const int64_t count = imports.of(row.import).count;
    const bool container =
        row.import == Import::checksum_wrong || row.import == Import::truncated;
    if (container && count > 0) return true;
    lost_events += count;
  }
  return lost_events > kLostEventsMax &&
         static_cast<double>(lost_events) >
             kLostEventsMax_ratio * static_cast<double>(timeline.events);
}

void complete(Finding& finding, const Detector& detector,
              const DeviceFacts& facts) {
  const TraceMetadata& metadata = facts.timeline().metadata;
  finding.id = detector.id;
  finding.cause = detector.cause;
  finding.title = detector.title;
  finding.layer = detector.layer;
  finding.severity = severity_of(finding.lost_ratio);
  const bool inflated = detector.inflated_by_recording &&
                        (metadata.with_stack || metadata.profile_memory ||
                         has_stacks(facts.timeline()));
  finding.certainty = inflated || is_damaged(facts.timeline())
                          ? Certainty::likely
                          : Certainty::proven;
  finding.device = facts.device_id;
  finding.rank = metadata.rank;
  finding.gain = {false, 0, finding.lost_ns_per_step};
  finding.remedy = {std::string(detector.remedy), std::string(detector.code)};
  if (!finding.where.empty() && finding.where.front().file.empty())
    finding.where_note = where_note(facts);
  finding.page = fmt::format("docs/findings/{}.md", detector.cause);
}

void sort_findings(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) {
                     if (a.certainty != b.certainty)
                       return a.certainty < b.certainty;
                     return a.lost_ns_per_step > b.lost_ns_per_step;
                   });
}

// One finding for what every device shows alike.
Finding joint_finding(const std::vector<Finding>& alike) {
  const auto worst = std::max_element(alike.begin(), alike.end(),
                                      [](const Finding& a, const Finding& b) {
                                        return a.lost_ratio < b.lost_ratio;
                                      });
  Finding joint = *worst;
  joint.device.clear();
  joint.rank.reset();
  int64_t lost_ns = 0;
  double lost_ratio = 0;
  for (const Finding& finding : alike) {
    lost_ns += finding.lost_ns_per_step;
    lost_ratio += finding.lost_ratio;
    joint.certainty = std::max(joint.certainty, finding.certainty);
  }
  const auto count = static_cast<int64_t>(alike.size());
  joint.lost_ns_per_step = lost_ns / count;
  joint.lost_ratio = lost_ratio / static_cast<double>(count);
  joint.severity = severity_of(joint.lost_ratio);
  joint.gain = {false, 0, joint.lost_ns_per_step};
  for (Evidence& evidence : joint.evidence)
    evidence.device = worst->device;  // the figures are the worst device's
  return joint;
}

}  // namespace

Detection detect(const std::vector<DeviceFacts>& devices,
                 const std::vector<bool>& believed) {
  Detection detection;
  for (const Detector& detector : kDetectors) {
    bool ran = false;
    std::string_view needs = devices.empty() ? "GPU activity: see the verdict"
                                             : "GPU activity that accounts for "
                                               "the time: see the verdict and "
                                               "what is unattributed";
    std::vector<Finding> found;
    for (size_t i = 0; i < devices.size(); ++i) {
      if (detector.needs_idle && !believed[i]) continue;
      if (const auto lacks = detector.lacks(devices[i]); !lacks.empty()) {
        needs = lacks;
        continue;
      }
      ran = true;
      if (std::optional<Finding> finding = detector.run(devices[i])) {
        complete(*finding, detector, devices[i]);
        found.push_back(std::move(*finding));
      }
    }
    if (!ran)
      detection.blocked.push_back(
          {std::string(detector.id), std::string(needs)});
    else if (found.empty())
      detection.quiet.emplace_back(detector.id);
    for (Finding& finding : found)
      detection.findings.push_back(std::move(finding));
  }
  sort_findings(detection.findings);
  return detection;
}

Detection merge_detections(std::vector<Detection> parts, size_t device_count) {
  Detection merged;
  for (const Detector& detector : kDetectors) {
    std::vector<Finding> found;
    bool quiet = false;
    const Blocked* blocked = nullptr;
    for (const Detection& part : parts) {
      for (const Finding& finding : part.findings)
        if (finding.id == detector.id) found.push_back(finding);
      quiet |= std::find(part.quiet.begin(), part.quiet.end(), detector.id) !=
               part.quiet.end();
      for (const Blocked& row : part.blocked)
        if (row.id == detector.id) blocked = &row;
    }
    if (found.size() > 1 && found.size() == device_count)
      merged.findings.push_back(joint_finding(found));
    else
      for (Finding& finding : found)
        merged.findings.push_back(std::move(finding));
    if (!found.empty()) continue;
    if (quiet || blocked == nullptr)
      merged.quiet.emplace_back(detector.id);
    else
      merged.blocked.push_back(*blocked);
  }
  sort_findings(merged.findings);
  return merged;
}

}  // namespace gpuledger
