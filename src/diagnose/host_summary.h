// What the host did, for traces without GPU activity.
#pragma once

#include "analyze/order.h"
#include "model/report.h"
#include "model/timeline.h"

namespace gpuledger {

HostReport summarise_host(const Timeline& timeline, const Order& order);

}  // namespace gpuledger
