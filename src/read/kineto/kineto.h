// PyTorch profiler (Kineto) traces: Chrome JSON in the dialects of 2021 to
// today, NVIDIA and AMD. Spec: docs/formats/pytorch_trace.md.
#pragma once

#include "read/reader.h"

namespace gpuledger {

bool sniff_kineto(const FileHead& head);
Result<Timeline> read_kineto(DecodedFile& source, const ReadRequest& request);

}  // namespace gpuledger
