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

size_t Timeline::bytes() const {
  constexpr size_t kHostRow = 8 + 8 + 4 + 4 + 1 + 8;
  constexpr size_t kDeviceRow = 8 + 8 + 4 + 4 + 1 + 1 + 1 + 8 + 8;
  return names.bytes() + host.start_ns.capacity() * kHostRow +
         device.start_ns.capacity() * kDeviceRow +
         collectives.capacity() * sizeof(Collective) +
         call_stacks.capacity() * sizeof(CallStack);
}

}  // namespace gpuledger
