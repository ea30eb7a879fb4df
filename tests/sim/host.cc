#include "sim/host.h"

#include <algorithm>

namespace gpuledger::sim {
namespace {

// So many launched, unstarted calls fill the queue of a device.
constexpr size_t kQueueCalls = 1024;
constexpr int64_t kFirstPid = 21'850;
// The first compute stream of a process as the driver numbers it.
constexpr int64_t kFirstStream = 7;
constexpr int64_t kStaging_ns = 15'000, kAfterWait_ns = 3'000;
// A blocking copy returns a little before its end is recorded.
constexpr int64_t kReturnsEarly_ns = 20'000;

}  // namespace

Host::Host(World& world, int32_t process)
    : world_(world),
      process_(process),
      pid_(kFirstPid + 400 * process),
      tid_(pid_),
      correlation_(world.scenario().colliding_ids != 0
                       ? 4'000
                       : 4'000 + 50'000'000 * process) {
  world.log().add(process, {0, Entry::idle_launch, Cause::launches});
}

Host::Scope::Scope(Host& host, RowKind kind, std::string name, std::string args)
    : host_(host),
      kind_(kind),
      name_(std::move(name)),
      args_(std::move(args)),
      start_ns_(host.now_ns_),
      tid_(host.tid_),
      id_(host.world_.next_id()),
      outer_id_(host.id_) {
  if (kind != RowKind::frame) host.id_ = id_;
}

Host::Scope::~Scope() {
  host_.id_ = outer_id_;
  TraceWriter* writer = host_.world_.writer();
  if (writer == nullptr) return;
  writer->host(
      {kind_, name_, args_, host_.pid_, tid_, start_ns_, host_.now_ns_, id_});
}

Host::Owner::Owner(Host& host, Entry entry, Cause cause)
    : host_(host), outermost_(!host.owned_) {
  if (!outermost_) return;
  host.owned_ = true;
  host.owner_ = entry;
  host.owner_cause_ = cause;
}

Host::Owner::~Owner() {
  if (outermost_) host_.owned_ = false;
}

void Host::spend(int64_t dur_ns, Entry entry, Cause cause) {
  if (owned_ && entry != Entry::idle_profiler)
    world_.log().add(process_, {now_ns_, owner_, owner_cause_});
  else
    world_.log().add(process_, {now_ns_, entry, cause});
  now_ns_ += dur_ns;
}

void Host::between() {
  spend(world_.random().around(world_.scenario().between_ns, Draw::host));
}

void Host::dispatch() {
  spend(world_.random().around(world_.scenario().dispatch_ns, Draw::host));
}

void Host::small_op(std::string_view name) {
  const Scope op(*this, RowKind::op, std::string(name));
  spend(2'000);
}

Host::Call Host::begin_call(std::string_view name) {
  return {name, now_ns_, now_ns_, ++correlation_};
}

void Host::end_call(const Call& call, bool has_activity) {
  if (world_.writer() == nullptr) return;
  world_.writer()->call({call.name, pid_, tid_, call.start_ns, now_ns_,
                         call.correlation, id_, has_activity});
}

void Host::call(std::string_view name, int64_t dur_ns, Entry entry,
                Cause cause) {
  const Call row = begin_call(name);
  spend(dur_ns, entry, entry == Entry::idle_launch ? Cause::launches : cause);
  end_call(row, false);
}

int32_t Host::stream_index(const Work& work) const {
  return static_cast<int32_t>(process_ * (world_.scenario().streams + 1)) +
         work.stream;
}

Activity Host::place(const Work& work, const Call& call, int64_t ready_ns) {
  const int32_t stream = stream_index(work);
  const int64_t start_ns =
      world_.device(work.device)
          .place(stream, ready_ns, world_.scenario().queue_gap_ns, work.dur_ns);
  Activity activity;
  activity.start_ns = start_ns;
  activity.end_ns = start_ns + work.dur_ns;
  activity.launch_ns = call.start_ns;
  activity.order = ++launches_;
  activity.process = process_;
  activity.stream = stream;
  activity.entry = work.entry;
  return activity;
}

void Host::add(const Activity& activity, const Work& work, const Call& call,
               bool recorded) {
  DeviceRow row;
  row.name = work.name;
  row.args = work.args;
  row.stream = kFirstStream + 6 * work.stream;
  row.recorded = recorded;
  row.correlation = call.correlation;
  row.id = id_;
  row.bytes = work.bytes;
  row.launched = activity.launch_ns != kAlways;
  world_.add(work.device, activity, row);
}

// Three launches in four reach the device after their call has returned.
int64_t Host::ready_ns(const Call& call, bool late) {
  const bool early = world_.random().percent(25, Draw::host);
  const int64_t latency_ns =
      world_.random().around(world_.scenario().latency_ns, Draw::host);
  const int64_t dur_ns = call.end_ns - call.start_ns;
  return early && !late ? call.start_ns + dur_ns * 3 / 4
                        : call.end_ns + latency_ns;
}

void Host::wait_for_queue(Call& call) {
  while (!queued_ns_.empty() && queued_ns_.front() <= now_ns_)
    queued_ns_.pop_front();
  if (queued_ns_.size() < kQueueCalls) return;
  call.end_ns = std::max(call.end_ns, queued_ns_.front() + kAfterWait_ns);
  for (Ledger& ledger : world_.ledgers())
    ledger.forgive_debt(process_, call.end_ns);
}

void Host::launch(const Work& work, std::string_view name, bool late) {
  Call row = begin_call(name);
  row.end_ns += world_.random().around(world_.scenario().launch_ns, Draw::host);
  wait_for_queue(row);
  Activity activity = place(work, row, ready_ns(row, late));
  spend(row.end_ns - now_ns_);
  activity.return_ns = now_ns_;
  queued_ns_.push_back(activity.start_ns);
  add(activity, work, row);
  end_call(row, true);
}

void Host::launch_loading(const Work& work, int64_t load_ns) {
  const Call row = begin_call("cudaLaunchKernel");
  spend(load_ns, Entry::idle_compile, Cause::none);
  if (world_.writer() != nullptr)
    world_.writer()->overhead("Lazy Function Loading",
                              row.start_ns + load_ns / 8,
                              now_ns_ - load_ns / 8);
  Activity activity = place(work, row, now_ns_ + 5'000);
  activity.return_ns = now_ns_;
  activity.loads = true;
  add(activity, work, row);
  end_call(row, true);
}

void Host::launch_profiled(const Work& work, int64_t overhead_ns) {
  const Call row = begin_call("cudaLaunchKernel");
  spend(world_.scenario().launch_ns / 2);
  const int64_t start_ns = now_ns_;
  spend(overhead_ns, Entry::idle_profiler, Cause::none);
  if (world_.writer() != nullptr)
    world_.writer()->overhead("Activity Buffer Request", start_ns, now_ns_);
  spend(world_.scenario().launch_ns / 2);
  Activity activity = place(work, row, now_ns_ + 4'000);
  activity.return_ns = now_ns_;
  add(activity, work, row);
  end_call(row, true);
}

void Host::launch_graph(const std::vector<Work>& nodes, size_t recorded) {
  Call row = begin_call("cudaGraphLaunch");
  row.end_ns +=
      world_.random().around(3 * world_.scenario().launch_ns, Draw::host);
  wait_for_queue(row);
  int64_t node_ns = ready_ns(row, false);
  spend(row.end_ns - now_ns_);
  for (size_t i = 0; i < nodes.size(); ++i) {
    Activity activity = place(nodes[i], row, node_ns);
    activity.return_ns = now_ns_;
    if (i == 0) queued_ns_.push_back(activity.start_ns);
    node_ns = activity.start_ns;
    add(activity, nodes[i], row, i < recorded);
  }
  end_call(row, true);
}

void Host::copy_blocking(const Work& work, Cause cause) {
  const Call row = begin_call("cudaMemcpyAsync");
  Activity activity = place(work, row, now_ns_ + kStaging_ns);
  activity.cause = cause;
  const bool small = work.dur_ns < 4 * kReturnsEarly_ns;
  const int64_t end_ns =
      activity.end_ns + (small ? kAfterWait_ns : -kReturnsEarly_ns);
  spend(end_ns - now_ns_, Entry::idle_sync, cause);
  activity.return_ns = now_ns_;
  add(activity, work, row);
  world_.block({row.start_ns, now_ns_, process_, cause});
  end_call(row, true);
}

void Host::launch_captured() {
  call("cudaLaunchKernel",
       world_.random().around(world_.scenario().launch_ns, Draw::host),
       Entry::idle_launch);
}

void Host::wait_until(std::string_view name, int64_t end_ns, Cause cause) {
  const Call row = begin_call(name);
  end_ns = std::max(end_ns, now_ns_) + kAfterWait_ns;
  spend(end_ns - now_ns_, Entry::idle_sync, cause);
  world_.block({row.start_ns, now_ns_, process_, cause});
  end_call(row, false);
}

void Host::wait_stream(int32_t device, int32_t stream, Cause cause) {
  Work work;
  work.stream = stream;
  wait_until("cudaStreamSynchronize",
             world_.device(device).stream_end_ns(stream_index(work)), cause);
}

void Host::wait_device(int32_t device, Cause cause) {
  wait_until("cudaDeviceSynchronize", world_.device(device).end_ns(), cause);
}

void Host::carry_over(const Work& work) {
  Call row = begin_call("");
  row.start_ns = kAlways;
  Activity activity = place(work, row, now_ns_ - work.dur_ns);
  add(activity, work, row);
}

void Host::order_streams(int32_t device, int32_t stream, int32_t other) {
  Work from, to;
  from.stream = other;
  to.stream = stream;
  call("cudaEventRecord", 1'500, Entry::idle_launch);
  call("cudaStreamWaitEvent", 1'500, Entry::idle_launch);
  world_.device(device).wait(stream_index(to), stream_index(from));
}

}  // namespace gpuledger::sim
