#include "analyze/api_class.h"

#include <cctype>

#include "analyze/name_match.h"

namespace gpuledger {
namespace {

struct ApiRow {
  Match how;
  std::string_view text;  // of the name without cuda, cu or hip
  bool ApiClass::*flag;
};

constexpr ApiRow kApiRows[] = {
    {Match::contains, "LaunchKernel", &ApiClass::launch},
    {Match::contains, "LaunchCooperativeKernel", &ApiClass::launch},
    {Match::starts, "GraphLaunch", &ApiClass::graph_launch},
    {Match::starts, "Memcpy", &ApiClass::copy},
    {Match::starts, "Memset", &ApiClass::set},
    {Match::ends, "Synchronize", &ApiClass::blocking_sync},
    {Match::starts, "Malloc", &ApiClass::alloc},
    {Match::starts, "ExtMalloc", &ApiClass::alloc},
    {Match::starts, "Free", &ApiClass::alloc},
    {Match::starts, "HostAlloc", &ApiClass::alloc},
    {Match::starts, "HostMalloc", &ApiClass::alloc},
    {Match::starts, "HostFree", &ApiClass::alloc},
    {Match::starts, "HostRegister", &ApiClass::alloc},
    {Match::starts, "HostUnregister", &ApiClass::alloc},
    {Match::starts, "MemAlloc", &ApiClass::alloc},
    {Match::starts, "MemFree", &ApiClass::alloc},
    {Match::starts, "MemHostAlloc", &ApiClass::alloc},
    {Match::starts, "MemHostRegister", &ApiClass::alloc},
    {Match::starts, "MemHostUnregister", &ApiClass::alloc},
    {Match::starts, "MemCreate", &ApiClass::alloc},
    {Match::starts, "MemRelease", &ApiClass::alloc},
    {Match::starts, "MemMap", &ApiClass::alloc},
    {Match::starts, "MemUnmap", &ApiClass::alloc},
    {Match::starts, "MemSetAccess", &ApiClass::alloc},
    {Match::starts, "MemAddress", &ApiClass::alloc},
    {Match::starts, "MemPoolTrim", &ApiClass::alloc},
    {Match::whole, "Free", &ApiClass::free},
    {Match::whole, "MemFree", &ApiClass::free},
    {Match::starts, "ModuleLoad", &ApiClass::load},
    {Match::starts, "LibraryLoad", &ApiClass::load},
    {Match::starts, "LinkAdd", &ApiClass::load},
    {Match::starts, "LinkComplete", &ApiClass::load},
    {Match::starts, "StreamBeginCapture", &ApiClass::capture_begin},
    {Match::starts, "StreamEndCapture", &ApiClass::capture_end},
};

// Copies that return before the copy is done: asynchronous ones, and those
// that touch no host memory.
constexpr std::string_view kUnblockedCopies[] = {
    "Async", "Peer", "DtoD", "DtoA", "AtoD", "AtoA",
};

std::string_view without_family(std::string_view name) {
  for (std::string_view family : {"cuda", "cu", "hip"})
    if (name.starts_with(family)) return name.substr(family.size());
  return {};
}

bool drop_version(std::string_view& name) {
  for (std::string_view suffix : {"_ptsz", "_ptds"}) {
    if (!name.ends_with(suffix)) continue;
    name.remove_suffix(suffix.size());
    return true;
  }
  const size_t at = name.rfind("_v");
  if (at == std::string_view::npos || at + 2 == name.size()) return false;
  for (char c : name.substr(at + 2))
    if (!std::isdigit(static_cast<unsigned char>(c))) return false;
  name = name.substr(0, at);
  return true;
}

}  // namespace

std::string_view api_base_name(std::string_view name) {
  while (drop_version(name)) continue;
  return name;
}

ApiClass classify_api(std::string_view name) {
  const std::string_view stem = without_family(api_base_name(name));
  ApiClass api;
  for (const ApiRow& row : kApiRows)
    if (name_matches(row.how, row.text, stem)) api.*row.flag = true;
  api.blocking_copy = api.copy;
  for (std::string_view text : kUnblockedCopies)
    if (name_matches(Match::contains, text, stem)) api.blocking_copy = false;
  return api;
}

}  // namespace gpuledger
