// One trace as columns: what the host threads did, what the devices did, and
// who is who. Times are integer nanoseconds on the trace's own clock; an end is
// exclusive. Passive data: readers fill it, analyze/ orders and reads it.
// Every vector of a table has the same length; a row is an index into them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/string_pool.h"
#include "model/import_stats.h"

namespace gpuledger {

inline constexpr uint32_t kNoRow = UINT32_MAX;
inline constexpr uint64_t kNoCorrelation = 0;

enum class HostKind : uint8_t {
  op,        // a framework operator (aten::mm, autograd nodes)
  api,       // a CUDA, HIP or driver call
  range,     // a user annotation (record_function, NVTX, ProfilerStep#n)
  frame,     // a Python function
  overhead,  // the profiler's own work, reported by the driver
};

struct HostRows {
  std::vector<int64_t> start_ns, end_ns;
  std::vector<NameId> name;
  std::vector<uint32_t> thread;  // index into Timeline::threads
  std::vector<HostKind> kind;
  std::vector<uint64_t> correlation;  // of API calls, else kNoCorrelation

  size_t size() const { return start_ns.size(); }
  void push(int64_t start, int64_t end, NameId row_name, uint32_t row_thread,
            HostKind row_kind, uint64_t row_correlation);
  void clear();
  size_t held_bytes() const;
};

enum class ActivityKind : uint8_t { kernel, copy, set };

// Direction of a copy and the kind of host memory at its host end.
enum class CopyKind : uint8_t { none, h2d, d2h, d2d, p2p, other };
enum class HostMemory : uint8_t { none, pageable, pinned, unknown };

struct DeviceRows {
  std::vector<int64_t> start_ns, end_ns;
  std::vector<NameId> name;
  std::vector<uint32_t> stream;  // index into Timeline::streams
  std::vector<ActivityKind> kind;
  std::vector<CopyKind> copy;
  std::vector<HostMemory> host_memory;
  std::vector<uint64_t> correlation;
  std::vector<int64_t> bytes;  // of copies and sets; 0: not recorded

  size_t size() const { return start_ns.size(); }
  void push(int64_t start, int64_t end, NameId row_name, uint32_t row_stream,
            ActivityKind row_kind, CopyKind row_copy, HostMemory row_memory,
            uint64_t row_correlation, int64_t row_bytes);
  void clear();
  size_t held_bytes() const;
};

// What record_param_comms tells of a collective; `host_row` is that operator.
struct Collective {
  uint32_t host_row = kNoRow;
  NameId name = 0;   // allreduce, _allgather_base, …
  NameId group = 0;  // process group name
  NameId dtype = 0;
  int64_t in_elements = 0, out_elements = 0;
  int32_t group_size = 0;
};

// The Python stack of an operator, as traces of 2021 carry it: frames from the
// innermost, parted by semicolons.
struct CallStack {
  uint32_t host_row = kNoRow;
  NameId frames = 0;
};

struct Process {
  int64_t pid = 0;
};

struct Thread {
  uint32_t process = 0;
  std::string tid;  // as the trace names it
};

struct Stream {
  uint32_t device = 0;
  int64_t id = 0;
};

struct Device {
  int64_t id = 0;
  std::string name;  // empty: the trace does not say
  std::optional<int> sm_count, compute_major, compute_minor;
  std::optional<int64_t> memory_bytes;
};

// The allow-list: nothing else of a trace's metadata is ever kept.
struct TraceMetadata {
  std::optional<int64_t> rank, world_size;
  std::string backend;       // nccl, gloo
  std::string cuda_runtime;  // 12.4
  std::string cuda_driver;   // version number as recorded
  std::string hip_runtime;
  std::optional<int64_t> base_time_ns;  // epoch of time 0
  bool record_shapes = false, with_stack = false, profile_memory = false;
};

struct Timeline {
  StringPool names;
  HostRows host;
  DeviceRows device;
  std::vector<Collective> collectives;
  std::vector<CallStack> call_stacks;
  std::vector<Process> processes;
  std::vector<Thread> threads;
  std::vector<Stream> streams;
  std::vector<Device> devices;
  TraceMetadata metadata;
  ImportStats imports;
  int64_t events = 0;            // elements of the array, of any kind
  bool truncated = false;        // the array of events was not closed
  double read_ratio = 1;         // of the file's bytes, where truncated
  int64_t text_bytes = 0;        // decoded
  bool window_end_seen = false;  // the recorder's own last row was reached
  bool counter_replay = false;   // kernels were replayed by a counter profiler
  int64_t origin_ns = 0;         // earliest row of the input, kept or not
  int64_t first_ns = 0, last_ns = 0;  // what the kept rows are about

  // What the tables hold, but for the texts of threads and devices.
  size_t held_bytes() const;
};

}  // namespace gpuledger
