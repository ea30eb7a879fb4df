#include "read/kineto/header.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>

#include "read/json/repair.h"

namespace gpuledger {
namespace {

using simdjson::dom::element;

// Added to any time of the trace it still fits 64 bits.
constexpr int64_t kBaseTimeEnd_ns = int64_t{1} << 62;

std::optional<int64_t> integer(const element& object, const char* key) {
  int64_t value = 0;
  if (object[key].get(value) == simdjson::SUCCESS) return value;
  return std::nullopt;
}

std::optional<int> small_integer(const element& object, const char* key) {
  const auto value = integer(object, key);
  if (!value || *value < 0 || *value > 1'000'000) return std::nullopt;
  return static_cast<int>(*value);
}

std::string text(const element& object, const char* key) {
  std::string_view value;
  if (object[key].get(value) == simdjson::SUCCESS) return std::string(value);
  return {};
}

bool is_on(const element& object, const char* key) {
  return integer(object, key).value_or(0) != 0;
}

// 12040 -> "12.4"
std::string cuda_version(const element& top, const char* key) {
  const auto version = integer(top, key);
  if (!version || *version < 1000) return {};
  return fmt::format("{}.{}", *version / 1000, *version % 1000 / 10);
}

void read_devices(const element& top, Timeline& timeline) {
  simdjson::dom::array devices;
  if (top["deviceProperties"].get(devices) != simdjson::SUCCESS) return;
  for (const element& properties : devices) {
    const auto id = integer(properties, "id");
    if (!id) continue;
    // Devices that did nothing are not part of the job's timeline.
    const auto device =
        std::find_if(timeline.devices.begin(), timeline.devices.end(),
                     [&](const Device& d) { return d.id == *id; });
    if (device == timeline.devices.end()) continue;
    device->name = text(properties, "name");
    device->sm_count = small_integer(properties, "numSms");
    device->compute_major = small_integer(properties, "computeMajor");
    device->compute_minor = small_integer(properties, "computeMinor");
    device->memory_bytes = integer(properties, "totalGlobalMem");
  }
}

enum class Parsed : uint8_t { as_it_is, repaired, no };

Parsed parse(simdjson::dom::parser& parser, const std::string& header,
             element& top) {
  if (parser.parse(header).get(top) == simdjson::SUCCESS)
    return Parsed::as_it_is;
  return parser.parse(repair_element(header).text).get(top) == simdjson::SUCCESS
             ? Parsed::repaired
             : Parsed::no;
}

}  // namespace

bool may_be_trace_header(const std::string& header) {
  static constexpr std::array<std::string_view, 20> kKeys = {
      "traceEvents",
      "schemaVersion",
      "deviceProperties",
      "displayTimeUnit",
      "baseTimeNanoseconds",
      "traceName",
      "trace_id",
      "distributedInfo",
      "profile_memory",
      "record_shapes",
      "with_stack",
      "with_flops",
      "with_modules",
      "cupti_version",
      "cuda_runtime_version",
      "cuda_driver_version",
      "hip_runtime_version",
      "hip_driver_version",
      "otherData",
      "metadata"};
  simdjson::dom::parser parser;
  element root;
  simdjson::dom::object top;
  if (parse(parser, header, root) == Parsed::no ||
      root.get(top) != simdjson::SUCCESS)
    return false;
  const auto is_ours = [](const simdjson::dom::key_value_pair& field) {
    return std::find(kKeys.begin(), kKeys.end(), field.key) != kKeys.end();
  };
  return top.size() == 0 || std::any_of(top.begin(), top.end(), is_ours);
}

void read_header(const std::string& header, Timeline& timeline) {
  if (header.empty()) return;
  simdjson::dom::parser parser;
  element top;
  const Parsed parsed = parse(parser, header, top);
  if (parsed != Parsed::as_it_is)
    timeline.imports.add(Import::header_unreadable);
  if (parsed == Parsed::no) return;
  TraceMetadata& metadata = timeline.metadata;
  element distributed;
  if (top["distributedInfo"].get(distributed) == simdjson::SUCCESS) {
    metadata.rank = integer(distributed, "rank");
    metadata.world_size = integer(distributed, "world_size");
    metadata.backend = text(distributed, "backend");
  }
  const auto base_ns = integer(top, "baseTimeNanoseconds");
  if (base_ns && *base_ns >= 0 && *base_ns < kBaseTimeEnd_ns)
    metadata.base_time_ns = base_ns;
  metadata.cuda_runtime = cuda_version(top, "cuda_runtime_version");
  metadata.cuda_driver = cuda_version(top, "cuda_driver_version");
  if (const auto hip = integer(top, "hip_runtime_version"))
    metadata.hip_runtime = fmt::format("{}", *hip);
  metadata.record_shapes = is_on(top, "record_shapes");
  metadata.with_stack = is_on(top, "with_stack");
  metadata.profile_memory = is_on(top, "profile_memory");
  read_devices(top, timeline);
}

}  // namespace gpuledger
