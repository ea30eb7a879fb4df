// What a runtime or driver call does, told by its name alone: CUDA runtime
// (cuda*), CUDA driver (cu*) and HIP (hip*). Version suffixes (_v3020, _v2,
// _ptsz) do not matter. A name of another family has no flag set.
#pragma once

#include <string_view>

namespace gpuledger {

struct ApiClass {
  bool launch = false;        // one kernel
  bool graph_launch = false;  // all nodes of a graph
  bool copy = false;
  bool set = false;
  bool blocking_sync = false;  // *Synchronize; a query does not block
  bool blocking_copy = false;  // returns when the copy is done
  bool alloc = false;          // allocates, frees, maps or pins memory
  bool free = false;           // the device-wide free, which may block
  bool load = false;           // loads or links a module or library
  bool capture_begin = false;
  bool capture_end = false;
};

ApiClass classify_api(std::string_view name);

// "cudaMemcpyAsync_v3020" -> "cudaMemcpyAsync".
std::string_view api_base_name(std::string_view name);

}  // namespace gpuledger
