// What a simulated job does: one text file, `key = value` per line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sim/entry.h"

namespace gpuledger::sim {

enum class Annotations : int64_t { none, steps, optimizer };
enum class Loader : int64_t { none, single, workers };
enum class Copies : int64_t { none, pageable, pinned, staged };
enum class Collectives : int64_t { none, exposed, hidden };

struct Scenario {
  // The job.
  int64_t steps = 8, first_step = 3, annotations = 1, stacks = 0;
  int64_t autograd_thread = 1, layers = 4, devices = 1, processes = 1;
  int64_t streams = 1, colliding_ids = 0;
  // Durations.
  int64_t kernel_ns = 40'000, jitter_percent = 10;
  int64_t between_ns = 4'000, dispatch_ns = 3'000, launch_ns = 4'000;
  int64_t latency_ns = 4'000, queue_gap_ns = 1'200;
  // Input.
  int64_t loader = 0, loader_ns = 0, loader_workers = 4;
  int64_t copies = 0, copy_bytes = 0, copy_count = 1;
  // Reads of the device.
  int64_t items_per_step = 0, item_every = 1, syncs_per_step = 0;
  // Communication and graphs.
  int64_t collectives = 0, collective_ns = 0, graphs = 0;
  // Host trouble: each happens once, in step `trouble_step`, or in every step.
  int64_t trouble_step = 3, trouble_every_step = 0;
  int64_t stall_ns = 0, gc_ns = 0, checkpoint_ns = 0, jit_ns = 0;
  int64_t alloc_ns = 0, load_ns = 0, profiler_ns = 0;
  // Rows that are odd but harmless.
  int64_t carried_kernels = 0, empty_steps = 0, zero_memsets = 0;
  int64_t captured_launches = 0;
  // Rows that are lost on the way into the file.
  int64_t drop_percent = 0, drop_all = 0, graph_drop_percent = 0;
  int64_t zero_times_percent = 0;
  // The file.
  int64_t base_time_first = 0;
  // What a reader of the trace should find, and must not find.
  std::vector<Cause> causes, quiet;
  std::string verdict = "ok";
};

// Reads a scenario; an error names the line. `name` stands for the file in it.
Result<Scenario> parse_scenario(std::string_view text, std::string name);
Result<Scenario> read_scenario(const std::string& path);

// The same job with one cause taken away.
Scenario without(Scenario scenario, Cause cause);

}  // namespace gpuledger::sim
