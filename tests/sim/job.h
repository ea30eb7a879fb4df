// One process of a training job: the program that its host runs step by step.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/host.h"
#include "sim/kernels.h"

namespace gpuledger::sim {

class Job {
 public:
  Job(World& world, Host& host);

  void begin();
  void step(int64_t index);
  // A range in which nothing is launched.
  void empty_step(int64_t index);
  void end();
  // When the last range in which something was launched ended.
  int64_t range_end_ns() const { return range_end_ns_; }

 private:
  using Frame = std::optional<Host::Scope>;

  // Opens a Python frame where the scenario records stacks.
  void frame(Frame& slot, std::string name);
  std::string step_name(int64_t index) const;
  bool marks_steps_by(Annotations annotations) const;
  void begin_ledger_step(const std::string& label);

  void train_step(int64_t index);
  // The input.
  void load_batch(int64_t index);
  void load_in_process();
  void load_from_workers(int64_t index);
  void copy_batch();
  // The model.
  void forward(int32_t device);
  void layer(int32_t device, int64_t number);
  void backward(int32_t device);
  void backward_node(int32_t device, std::string_view node, std::string_view op,
                     const Work& work, int kernels);
  void replay_graph(int32_t device, int64_t index);
  void optimize(int32_t device);
  void all_reduce(int32_t device);
  // What goes wrong.
  void read_loss();
  void synchronize();
  void trouble(int64_t index);
  void trouble_in_frame(std::string line, std::string function, int64_t dur_ns,
                        Entry entry);
  void allocate(int64_t dur_ns);
  void odd_rows();

  // One operator that launches `work`.
  void operate(std::string_view outer, std::string_view op, const Work& work);
  Work work(std::string_view name, Entry entry, int64_t percent, int32_t device,
            int32_t stream = 0);
  int32_t side_stream(int64_t position) const;

  World& world_;
  const Scenario& scenario_;
  Host& host_;
  Frame main_frame_;
  int64_t range_end_ns_ = 0;
  std::deque<std::string> loaded_;  // names of kernels loaded in this run
  // When workers had the last batches ready, and when they were taken.
  std::deque<int64_t> worker_ready_ns_, taken_ns_;
};

}  // namespace gpuledger::sim
