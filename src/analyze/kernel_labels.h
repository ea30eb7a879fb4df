// What each device row is: compute of some class, communication or a copy.
// Known by the launching operator or annotation and by the kernel's name.
#pragma once

#include <vector>

#include "analyze/kernel_class.h"
#include "analyze/launches.h"
#include "analyze/name_table.h"
#include "model/account.h"
#include "model/timeline.h"

namespace gpuledger {

struct ActivityLabels {
  std::vector<KernelFamily> family;  // per device row
  std::vector<Account> account;      // per device row
};

ActivityLabels label_activities(const Timeline& timeline, const Order& order,
                                const Launches& launches,
                                const NameTable& names);

}  // namespace gpuledger
