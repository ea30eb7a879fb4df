// The direction of a copy, told by the name that recorders give it.
#pragma once

#include <string_view>

#include "model/account.h"
#include "model/timeline.h"

namespace gpuledger {

struct CopyName {
  CopyKind kind = CopyKind::other;
  HostMemory memory = HostMemory::none;
};
// "Memcpy HtoD (Pageable -> Device)".
CopyName parse_copy_name(std::string_view name);
Account copy_account(CopyName copy);

}  // namespace gpuledger
