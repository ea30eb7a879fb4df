#include "model/timeline.h"

namespace gpuledger {

void HostRows::push(int64_t start, int64_t end, NameId row_name,
                    uint32_t row_thread, HostKind row_kind,
                    uint64_t row_correlation) {
  start_ns.push_back(start);
  end_ns.push_back(end);
  name.push_back(row_name);
  thread.push_back(row_thread);
  kind.push_back(row_kind);
  correlation.push_back(row_correlation);
}

void HostRows::clear() {
  start_ns.clear();
  end_ns.clear();
  name.clear();
  thread.clear();
  kind.clear();
  correlation.clear();
}

void DeviceRows::push(int64_t start, int64_t end, NameId row_name,
                      uint32_t row_stream, ActivityKind row_kind,
                      CopyKind row_copy, HostMemory row_memory,
                      uint64_t row_correlation, int64_t row_bytes) {
  start_ns.push_back(start);
  end_ns.push_back(end);
  name.push_back(row_name);
  stream.push_back(row_stream);
  kind.push_back(row_kind);
  copy.push_back(row_copy);
  host_memory.push_back(row_memory);
  correlation.push_back(row_correlation);
  bytes.push_back(row_bytes);
}

void DeviceRows::clear() {
  start_ns.clear();
  end_ns.clear();
  name.clear();
  stream.clear();
  kind.clear();
  copy.clear();
  host_memory.clear();
  correlation.clear();
  bytes.clear();
}

size_t HostRows::held_bytes() const {
  constexpr size_t kRow = 8 + 8 + 4 + 4 + 1 + 8;
  return start_ns.capacity() * kRow;
}

size_t DeviceRows::held_bytes() const {
  constexpr size_t kRow = 8 + 8 + 4 + 4 + 1 + 1 + 1 + 8 + 8;
  return start_ns.capacity() * kRow;
}

size_t Timeline::held_bytes() const {
  return names.bytes() + host.held_bytes() + device.held_bytes() +
         collectives.capacity() * sizeof(Collective) +
         call_stacks.capacity() * sizeof(CallStack) +
         processes.capacity() * sizeof(Process) +
         threads.capacity() * sizeof(Thread) +
         streams.capacity() * sizeof(Stream) +
         devices.capacity() * sizeof(Device);
}

}  // namespace gpuledger
