#include "read/kineto/merge.h"

#include <algorithm>

#include "read/kineto/time_text.h"

namespace gpuledger {

bool TimelineMerger::keeps(int64_t start_ns, int64_t end_ns) {
  first_ns_ = std::min(first_ns_, start_ns);
  last_ns_ = std::max(last_ns_, end_ns);
  return end_ns >= from_ns_ && start_ns < to_ns_;
}

NameId TimelineMerger::name(Batch& batch, NameId local) {
  uint32_t& id = batch.name_ids[local];
  if (id == kNoRow) id = timeline_.names.intern(batch.names.text(local));
  return id;
}

uint32_t TimelineMerger::process_index(std::string_view pid) {
  const uint32_t process_id = processes_.intern(pid);
  if (process_id == timeline_.processes.size()) {
    Process process;
    parse_integer(pid, process.pid);
    timeline_.processes.push_back(process);
  }
  return process_id;
}

uint32_t TimelineMerger::device_index(int64_t id) {
  const auto [it, is_new] = devices_.try_emplace(id, timeline_.devices.size());
  if (is_new) {
    Device device;
    device.id = id;
    timeline_.devices.push_back(device);
  }
  return it->second;
}

uint32_t TimelineMerger::thread(Batch& batch, uint32_t track) {
  uint32_t& index = batch.thread_ids[track];
  if (index != kNoRow) return index;
  const std::string_view key = batch.tracks.text(track);
  index = threads_.intern(key);
  if (index == timeline_.threads.size()) {
    const size_t cut = key.find('\n');
    Thread thread;
    thread.process = process_index(key.substr(0, cut));
    thread.tid = key.substr(cut + 1);
    timeline_.threads.push_back(std::move(thread));
  }
  return index;
}

uint32_t TimelineMerger::stream(Batch& batch, uint32_t track) {
  uint32_t& index = batch.stream_ids[track];
  if (index != kNoRow) return index;
  const std::string_view key = batch.tracks.text(track);
  index = streams_.intern(key);
  if (index == timeline_.streams.size()) {
    const size_t cut = key.find('\n');
    int64_t device = 0;
    Stream stream;
    parse_integer(key.substr(0, cut), device);
    stream.device = device_index(device);
    if (!parse_integer(key.substr(cut + 1), stream.id)) stream.id = -1;
    if (stream.id == -1) timeline_.imports.add(Import::stream_unknown);
    timeline_.streams.push_back(stream);
  }
  return index;
}

// What is told of some host rows only.
void TimelineMerger::add_side_tables(Batch& batch) {
  for (Collective collective : batch.collectives) {
    collective.host_row = moved_to_[collective.host_row];
    if (collective.host_row == kNoRow) continue;
    collective.name = name(batch, collective.name);
    collective.group = name(batch, collective.group);
    collective.dtype = name(batch, collective.dtype);
    timeline_.collectives.push_back(collective);
  }
  for (const CallStack& stack : batch.call_stacks)
    if (moved_to_[stack.host_row] != kNoRow)
      timeline_.call_stacks.push_back(
          {moved_to_[stack.host_row], name(batch, stack.frames)});
}

void TimelineMerger::add(Batch& batch) {
  batch.name_ids.resize(batch.names.size(), kNoRow);
  batch.thread_ids.resize(batch.tracks.size(), kNoRow);
  batch.stream_ids.resize(batch.tracks.size(), kNoRow);
  timeline_.events += batch.events;
  timeline_.imports.merge(batch.imports);
  timeline_.window_end_seen |= batch.window_end_seen;
  timeline_.counter_replay |= batch.counter_replay;
  any_trace_event_ |= batch.any_trace_event;
  times_ += batch.times;
  whole_us_times_ += batch.whole_us_times;

  const HostRows& host = batch.host;
  moved_to_.assign(host.size(), kNoRow);
  for (uint32_t i = 0; i < host.size(); ++i) {
    if (!keeps(host.start_ns[i], host.end_ns[i])) continue;
    moved_to_[i] = static_cast<uint32_t>(timeline_.host.size());
    timeline_.host.push(
        host.start_ns[i], host.end_ns[i], name(batch, host.name[i]),
        thread(batch, host.thread[i]), host.kind[i], host.correlation[i]);
  }
  add_side_tables(batch);
  add_device_rows(batch);
}

void TimelineMerger::add_device_rows(Batch& batch) {
  const DeviceRows& device = batch.device;
  for (uint32_t i = 0; i < device.size(); ++i) {
    const bool at_zero = device.start_ns[i] == 0;
    if (!at_zero && !keeps(device.start_ns[i], device.end_ns[i])) continue;
    (at_zero ? at_zero_ : timeline_.device)
        .push(device.start_ns[i], device.end_ns[i], name(batch, device.name[i]),
              stream(batch, device.stream[i]), device.kind[i], device.copy[i],
              device.host_memory[i], device.correlation[i], device.bytes[i]);
  }
}

size_t TimelineMerger::held_bytes() const {
  constexpr size_t kDeviceEntry = 48;  // a node and its place in the table
  // The timeline gets the texts of threads too, and the rows at the end.
  return 2 * (at_zero_.held_bytes() + threads_.bytes()) + streams_.bytes() +
         processes_.bytes() + devices_.size() * kDeviceEntry;
}

void TimelineMerger::finish() {
  constexpr int64_t kFarFromZero_ns = 1'000'000'000;
  for (uint32_t i = 0; i < at_zero_.size(); ++i) {
    if (any_row() && first_ns_ > kFarFromZero_ns)
      timeline_.imports.add(Import::activity_time_lost);
    else if (keeps(0, at_zero_.end_ns[i]))
      timeline_.device.push(0, at_zero_.end_ns[i], at_zero_.name[i],
                            at_zero_.stream[i], at_zero_.kind[i],
                            at_zero_.copy[i], at_zero_.host_memory[i],
                            at_zero_.correlation[i], at_zero_.bytes[i]);
  }
  at_zero_ = {};
}

}  // namespace gpuledger
