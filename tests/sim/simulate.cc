#include "sim/simulate.h"

#include <algorithm>
#include <memory>

#include "sim/host.h"
#include "sim/job.h"
#include "sim/world.h"

namespace gpuledger::sim {
namespace {

struct Processes {
  std::vector<std::unique_ptr<Host>> hosts;
  std::vector<std::unique_ptr<Job>> jobs;
  std::vector<int64_t> steps;

  // Lets the processes other than the first catch up with it.
  void catch_up() {
    for (size_t p = 1; p < jobs.size(); ++p)
      while (hosts[p]->now_ns() < hosts[0]->now_ns()) jobs[p]->step(steps[p]++);
  }

  // No further than the end of the last range: the next step may be none.
  int64_t passed_ns() const { return jobs[0]->range_end_ns(); }
};

DeviceBooks books_of(const Ledger& ledger) {
  DeviceBooks out;
  out.steps = ledger.steps();
  if (out.steps.empty()) return out;
  out.window_start_ns = out.steps.front().start_ns;
  out.window_ns = out.steps.back().end_ns - out.window_start_ns;
  for (const StepBooks& step : out.steps)
    for (size_t i = 0; i < kEntryCount; ++i) out.totals[i] += step.totals[i];
  return out;
}

// Calls visit(step) for the steps that a finding is measured on.
template <class Visit>
void each_inner_step(const DeviceBooks& device, Visit visit) {
  const size_t edge = device.steps.size() >= 3 ? 1 : 0;
  for (size_t i = edge; i + edge < device.steps.size(); ++i)
    visit(device.steps[i]);
}

template <class Value>
int64_t mean_over_steps(const Books& books, Value value) {
  int64_t sum = 0, count = 0;
  for (const DeviceBooks& device : books.devices) {
    each_inner_step(device, [&](const StepBooks& step) {
      sum += value(step);
      ++count;
    });
  }
  return count == 0 ? 0 : sum / count;
}

}  // namespace

Books simulate(const Scenario& scenario, const RunOptions& options,
               TraceWriter* writer) {
  World world(scenario, options.seed, writer);
  Processes run;
  for (int32_t p = 0; p < scenario.processes; ++p) {
    run.hosts.push_back(std::make_unique<Host>(world, p));
    run.jobs.push_back(std::make_unique<Job>(world, *run.hosts.back()));
    run.steps.push_back(0);
  }
  if (options.bytes > 0)
    for (Ledger& ledger : world.ledgers()) ledger.keep_totals_only();
  for (auto& job : run.jobs) job->begin();
  int64_t& step = run.steps[0];
  const auto more = [&] {
    return step < scenario.steps ||
           (writer != nullptr && writer->bytes() < options.bytes);
  };
  while (more()) {
    run.jobs[0]->step(step++);
    run.catch_up();
    world.advance(run.passed_ns());
  }
  if (scenario.annotations != 0)
    for (Ledger& ledger : world.ledgers())
      ledger.end_steps(run.jobs[0]->range_end_ns());
  for (int64_t i = 0; i < scenario.empty_steps; ++i)
    run.jobs[0]->empty_step(step++);
  for (auto& job : run.jobs) job->end();
  Books books;
  for (Ledger& ledger : world.ledgers()) {
    ledger.finish(world.device_end_ns());
    books.devices.push_back(books_of(ledger));
  }
  books.end_ns = world.device_end_ns();
  for (const auto& host : run.hosts) {
    books.end_ns = std::max(books.end_ns, host->now_ns());
    books.pids.push_back(host->pid());
  }
  return books;
}

int64_t mean_step_ns(const Books& books) {
  return mean_over_steps(
      books, [](const StepBooks& step) { return step.end_ns - step.start_ns; });
}

int64_t mean_lost_ns(const Books& books, Cause cause) {
  return mean_over_steps(books, [cause](const StepBooks& step) {
    return step.lost_ns[static_cast<size_t>(cause)];
  });
}

}  // namespace gpuledger::sim
