#include "sim/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gpuledger::sim {
namespace {

constexpr int64_t kBetweenSteps_ns = 20'000, kBetweenStarts_ns = 3'100'000;
constexpr int64_t kPinnedBytesPer_us = 24'000, kPageableBytesPer_us = 6'000;

Loader loader_of(const Scenario& s) { return static_cast<Loader>(s.loader); }
Copies copies_of(const Scenario& s) { return static_cast<Copies>(s.copies); }
Collectives collectives_of(const Scenario& s) {
  return static_cast<Collectives>(s.collectives);
}

}  // namespace

Job::Job(World& world, Host& host)
    : world_(world), scenario_(world.scenario()), host_(host) {}

void Job::frame(Frame& slot, std::string name) {
  if (scenario_.stacks != 0) slot.emplace(host_, RowKind::frame, name);
}

std::string Job::step_name(int64_t index) const {
  return fmt::format("ProfilerStep#{}", scenario_.first_step + index);
}

Work Job::work(std::string_view name, Entry entry, int64_t percent,
               int32_t device, int32_t stream) {
  Work w;
  w.name = name;
  w.entry = entry;
  w.dur_ns = std::max<int64_t>(
      world_.random().around(scenario_.kernel_ns * percent / 100, Draw::kernel),
      1'000);
  w.device = device;
  w.stream = stream;
  return w;
}

int32_t Job::side_stream(int64_t position) const {
  return static_cast<int32_t>(position % scenario_.streams);
}

void Job::begin() {
  // Processes start one after another: even where they count their calls from
  // the same number, the same number is never used at the same time.
  if (host_.process() > 0)
    host_.spend(kBetweenStarts_ns * host_.process(), Entry::idle_host,
                Cause::none);
  frame(main_frame_, "train.py(118): <module>");
  for (int64_t i = 0; i < scenario_.carried_kernels; ++i)
    for (int32_t d = 0; d < world_.device_count(); ++d)
      host_.carry_over(work(kMatmulBackKernel, Entry::compute_matmul, 200, d));
  host_.small_op();
}

void Job::end() {
  host_.between();
  for (int32_t d = 0; d < world_.device_count(); ++d)
    host_.wait_device(d, Cause::none);
  main_frame_.reset();
}

void Job::step(int64_t index) {
  const int64_t start_ns = host_.now_ns();
  const bool annotated = marks_steps_by(Annotations::steps);
  const std::string name = step_name(index);
  if (annotated) begin_ledger_step(name);
  const int64_t id = world_.next_id();
  {
    Frame range;
    if (annotated) range.emplace(host_, RowKind::annotation, name);
    train_step(index);
  }
  if (!marks_steps_by(Annotations::optimizer)) range_end_ns_ = host_.now_ns();
  if (annotated && world_.writer() != nullptr)
    for (int32_t d = 0; d < world_.device_count(); ++d)
      world_.writer()->device_annotation(
          name, d, std::min(start_ns + 1'000, world_.device(d).end_ns()),
          world_.device(d).end_ns(), id);
  host_.spend(kBetweenSteps_ns);
}

// Only the first process tells its steps.
bool Job::marks_steps_by(Annotations annotations) const {
  return host_.process() == 0 &&
         scenario_.annotations == static_cast<int64_t>(annotations);
}

void Job::begin_ledger_step(const std::string& label) {
  for (Ledger& ledger : world_.ledgers())
    ledger.begin_step(host_.now_ns(), label);
}

void Job::empty_step(int64_t index) {
  const Host::Scope range(host_, RowKind::annotation, step_name(index));
  host_.small_op();
  host_.between();
}

void Job::train_step(int64_t index) {
  Frame main, train;
  frame(main, "train.py(92): main");
  load_batch(index);
  copy_batch();
  frame(train, "train.py(42): train_step");
  trouble(index);
  for (int32_t d = 0; d < world_.device_count(); ++d) {
    if (scenario_.graphs != 0) {
      replay_graph(d, index);
    } else {
      forward(d);
      backward(d);
    }
    optimize(d);
  }
  if (marks_steps_by(Annotations::optimizer)) {
    range_end_ns_ = host_.now_ns();
    begin_ledger_step(fmt::format("{}", index));
  }
  train.reset();
  host_.small_op("aten::detach");
  if (index % scenario_.item_every == 0)
    for (int64_t i = 0; i < scenario_.items_per_step; ++i) read_loss();
  synchronize();
  host_.between();
}

void Job::load_batch(int64_t index) {
  const bool workers = loader_of(scenario_) == Loader::workers;
  if (loader_of(scenario_) == Loader::none) return;
  host_.between();
  Frame next;
  const Host::Owner owner(host_, Entry::idle_data,
                          workers ? Cause::none : Cause::loader);
  frame(next, "torch/utils/data/dataloader.py(631): __next__");
  const Host::Scope range(
      host_, RowKind::annotation,
      workers ? "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
              : "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
  if (workers)
    load_from_workers(index);
  else
    load_in_process();
}

void Job::load_in_process() {
  constexpr int64_t kSamples = 8;
  const int64_t sample_ns =
      world_.random().around(scenario_.loader_ns, Draw::loader) /
      (kSamples + 1);
  Frame fetch;
  frame(fetch, "torch/utils/data/_utils/fetch.py(49): fetch");
  for (int64_t i = 0; i < kSamples; ++i) {
    Frame item;
    frame(item, "dataset.py(31): __getitem__");
    host_.small_op("aten::empty");
    host_.spend(sample_ns / 2);
    const Host::Scope op(host_, RowKind::op, "aten::div");
    host_.spend(sample_ns / 2);
  }
  Frame collate;
  frame(collate, "torch/utils/data/_utils/collate.py(277): default_collate");
  const Host::Scope op(host_, RowKind::op, "aten::stack");
  host_.spend(std::max<int64_t>(sample_ns, 1'000));
}

// Batch b comes from worker b modulo their number, which keeps two in advance.
void Job::load_from_workers(int64_t index) {
  const auto workers = static_cast<size_t>(scenario_.loader_workers);
  const int64_t start_ns = host_.now_ns();
  host_.small_op("aten::empty");
  int64_t ready_ns = 0;
  if (index >= scenario_.loader_workers)
    ready_ns = worker_ready_ns_[worker_ready_ns_.size() - workers];
  if (taken_ns_.size() >= 2 * workers)
    ready_ns = std::max(ready_ns, taken_ns_[taken_ns_.size() - 2 * workers]);
  ready_ns += index < scenario_.loader_workers
                  ? 0
                  : world_.random().around(scenario_.loader_ns, Draw::loader);
  host_.spend(std::max(ready_ns - host_.now_ns(), int64_t{40'000}));
  host_.small_op("aten::set_");
  worker_ready_ns_.push_back(ready_ns);
  taken_ns_.push_back(start_ns);
  while (taken_ns_.size() > 2 * workers) taken_ns_.pop_front();
  while (worker_ready_ns_.size() > workers) worker_ready_ns_.pop_front();
}

void Job::copy_batch() {
  const Copies kind = copies_of(scenario_);
  if (kind == Copies::none) return;
  Frame line;
  frame(line, "train.py(35): to_device");
  for (int64_t i = 0; i < scenario_.copy_count; ++i) {
    host_.between();
    const Host::Scope to(host_, RowKind::op, "aten::to");
    const Host::Scope to_copy(host_, RowKind::op, "aten::_to_copy");
    host_.dispatch();
    const Host::Scope copy(host_, RowKind::op, "aten::copy_");
    host_.dispatch();
    Work w;
    const bool pinned = kind == Copies::pinned;
    w.name = pinned ? "Memcpy HtoD (Pinned -> Device)"
                    : "Memcpy HtoD (Pageable -> Device)";
    w.entry = pinned ? Entry::copy_h2d_pinned : Entry::copy_h2d_pageable;
    w.bytes = scenario_.copy_bytes;
    const int64_t rate = pinned ? kPinnedBytesPer_us : kPageableBytesPer_us;
    w.dur_ns = world_.random().around(
        std::max<int64_t>(w.bytes * 1'000 / rate, 1'500), Draw::copy);
    if (kind == Copies::pageable) {
      host_.copy_blocking(w, Cause::copies);
      host_.wait_stream(0, 0, Cause::copies);
    } else {
      host_.launch(w, "cudaMemcpyAsync", kind == Copies::staged);
    }
  }
}

void Job::operate(std::string_view outer, std::string_view op, const Work& w) {
  host_.between();
  Frame outer_op;
  if (!outer.empty()) {
    outer_op.emplace(host_, RowKind::op, std::string(outer));
    host_.dispatch();
  }
  const Host::Scope inner(host_, RowKind::op, std::string(op));
  host_.dispatch();
  host_.launch(w);
  host_.spend(1'000);
}

void Job::forward(int32_t device) {
  const Host::Scope range(host_, RowKind::annotation, "## forward ##");
  Frame call, model, self;
  frame(call, "torch/nn/modules/module.py(1501): _call_impl");
  frame(model, "nn.Module: Transformer_0");
  frame(self, "model.py(102): forward");
  operate("aten::embedding", "aten::index_select",
          work(kGatherKernel, Entry::compute_embedding, 60, device));
  for (int64_t i = 0; i < scenario_.layers; ++i) layer(device, i);
  operate("", "aten::mean",
          work(kReduceKernel, Entry::compute_elementwise, 40, device));
}

void Job::layer(int32_t device, int64_t number) {
  Frame call, block;
  frame(call, "torch/nn/modules/module.py(1501): _call_impl");
  frame(block, fmt::format("nn.Module: Block_{}", number));
  for (int32_t s = 1; s < scenario_.streams; ++s)
    host_.order_streams(device, s, 0);
  for (size_t i = 0; i < kLayerOps.size(); ++i) {
    const LayerOp& op = kLayerOps[i];
    Frame module_call, module, function;
    if (!op.module.empty()) {
      frame(module_call, "torch/nn/modules/module.py(1501): _call_impl");
      frame(module, fmt::format("nn.Module: {}_{}", op.module, number));
    }
    frame(function, std::string(op.function));
    operate(op.outer, op.op,
            work(op.kernel, op.entry, op.percent, device,
                 side_stream(static_cast<int64_t>(i))));
  }
  for (int32_t s = 1; s < scenario_.streams; ++s)
    host_.order_streams(device, 0, s);
}

// The autograd thread takes over at the very moment the main thread's last
// operator ends, and hands back in the same way.
void Job::backward(int32_t device) {
  Frame tensor, engine;
  frame(tensor, "torch/_tensor.py(428): backward");
  frame(engine, "torch/autograd/__init__.py(120): backward");
  operate("aten::ones_like", "aten::fill_",
          work(kFillKernel, Entry::compute_elementwise, 10, device));
  {
    std::optional<Host::Autograd> thread;
    if (scenario_.autograd_thread != 0) thread.emplace(host_);
    for (int64_t i = 0; i < scenario_.layers; ++i) {
      for (size_t j = kLayerOps.size(); j-- > 0;) {
        const LayerOp& op = kLayerOps[j];
        if (i + static_cast<int64_t>(kLayerOps.size() - j) > 1)
          host_.spend(1'500);
        const bool matmul = op.entry == Entry::compute_matmul;
        backward_node(device, op.node, op.back_op,
                      work(op.back_kernel, op.entry, op.back_percent, device),
                      matmul ? 2 : 1);
      }
      if (collectives_of(scenario_) == Collectives::hidden) all_reduce(device);
    }
    if (collectives_of(scenario_) == Collectives::exposed) all_reduce(device);
    // Runs long enough to cover the hand-over to the main thread.
    Work last = work(kScatterKernel, Entry::compute_embedding, 120, device);
    last.dur_ns = std::max<int64_t>(
        last.dur_ns, 12 * (scenario_.dispatch_ns + scenario_.launch_ns));
    host_.spend(1'500);
    backward_node(device, "EmbeddingBackward0",
                  "aten::embedding_dense_backward", last, 1);
  }
  host_.small_op("aten::detach");
}

void Job::backward_node(int32_t device, std::string_view node,
                        std::string_view op, const Work& w, int kernels) {
  const Host::Scope evaluate(
      host_, RowKind::op,
      fmt::format("autograd::engine::evaluate_function: {}", node),
      ", \"Sequence number\": 1080, \"Fwd thread id\": 1");
  host_.dispatch();
  const Host::Scope body(host_, RowKind::op, std::string(node),
                         ", \"Sequence number\": 1080, \"Fwd thread id\": 1");
  for (int i = 0; i < kernels; ++i) {
    host_.spend(1'000);
    const Host::Scope inner(host_, RowKind::op, std::string(op));
    host_.dispatch();
    Work again = w;
    again.device = device;
    host_.launch(again);
    host_.spend(1'000);
  }
}

void Job::replay_graph(int32_t device, int64_t index) {
  std::vector<Work> nodes;
  nodes.push_back(work(kGatherKernel, Entry::compute_embedding, 60, device));
  for (int64_t i = 0; i < scenario_.layers; ++i)
    for (const LayerOp& op : kLayerOps)
      nodes.push_back(work(op.kernel, op.entry, op.percent, device));
  nodes.push_back(work(kReduceKernel, Entry::compute_elementwise, 40, device));
  for (int64_t i = 0; i < scenario_.layers; ++i) {
    for (size_t j = kLayerOps.size(); j-- > 0;) {
      const LayerOp& op = kLayerOps[j];
      nodes.push_back(work(op.back_kernel, op.entry, op.back_percent, device));
      if (op.entry == Entry::compute_matmul) nodes.push_back(nodes.back());
    }
  }
  nodes.push_back(work(kScatterKernel, Entry::compute_embedding, 120, device));
  // Some replays reach the file in part only.
  const bool lossy = index % 2 == 1;
  const size_t recorded =
      lossy ? nodes.size() * (100 - scenario_.graph_drop_percent) / 100
            : nodes.size();
  host_.between();
  Frame replay;
  frame(replay, "torch/cuda/graphs.py(88): replay");
  host_.launch_graph(nodes, recorded);
  host_.small_op("aten::detach");
}

void Job::all_reduce(int32_t device) {
  static constexpr std::string_view kArgs =
      ", \"Collective name\": \"allreduce\", \"In msg nelems\": 4194304, "
      "\"Out msg nelems\": 4194304, \"Group size\": 2, \"dtype\": "
      "\"BFloat16\", \"Process Group Name\": \"0\", \"Process Group "
      "Description\": \"default_pg\", \"Process Group Ranks\": \"[0, 1]\"";
  const auto stream = static_cast<int32_t>(scenario_.streams);
  host_.spend(1'500);
  const Host::Scope outer(host_, RowKind::op, "c10d::allreduce_");
  host_.dispatch();
  const Host::Scope comms(host_, RowKind::op, "record_param_comms",
                          std::string(kArgs));
  const Host::Scope range(host_, RowKind::annotation, "nccl:all_reduce");
  host_.order_streams(device, stream, 0);
  Work w;
  w.name = kAllReduceKernel;
  w.entry = Entry::communication;
  w.dur_ns = world_.random().around(scenario_.collective_ns, Draw::kernel);
  w.device = device;
  w.stream = stream;
  w.args = kArgs;
  host_.launch(w, "cudaLaunchKernelExC");
  host_.spend(1'000);
}

void Job::optimize(int32_t device) {
  Frame range;
  if (scenario_.annotations != static_cast<int64_t>(Annotations::none))
    range.emplace(host_, RowKind::annotation, "Optimizer.step#AdamW.step");
  Frame step;
  frame(step, "torch/optim/optimizer.py(473): wrapper");
  if (collectives_of(scenario_) != Collectives::none) {
    host_.order_streams(device, 0, static_cast<int32_t>(scenario_.streams));
  }
  for (int i = 0; i < 4; ++i)
    operate("", "aten::_fused_adamw_",
            work(kAdamKernel, Entry::compute_optimizer, 120, device));
}

void Job::read_loss() {
  Frame line;
  frame(line, "train.py(61): log_metrics");
  host_.between();
  const Host::Scope item(host_, RowKind::op, "aten::item");
  host_.dispatch();
  const Host::Scope dense(host_, RowKind::op, "aten::_local_scalar_dense");
  host_.dispatch();
  Work w;
  w.name = "Memcpy DtoH (Device -> Pageable)";
  w.entry = Entry::copy_d2h;
  w.bytes = 4;
  w.dur_ns = world_.random().around(1'600, Draw::item);
  host_.copy_blocking(w, Cause::items);
  host_.wait_stream(0, 0, Cause::items);
}

void Job::synchronize() {
  for (int64_t i = 0; i < scenario_.syncs_per_step; ++i) {
    host_.between();
    host_.small_op();
    for (int32_t d = 0; d < world_.device_count(); ++d)
      host_.wait_device(d, Cause::none);
  }
}

}  // namespace gpuledger::sim
