#include "read/other_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gpuledger {
namespace {

bool begins(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string_view without_space(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first == std::string_view::npos ? "" : text.substr(first);
}

constexpr std::string_view kRecord =
    "Record a PyTorch trace: run gpuledger analyze without input for how.";

struct OtherKind {
  std::string_view name;
  bool (*is)(const FileHead& head);
  std::string_view advice;
};

const std::array kOtherKinds = {
    OtherKind{"an empty file", [](const FileHead& h) { return h.raw.empty(); },
              kRecord},
    OtherKind{"a compressed file of which nothing can be read",
              [](const FileHead& h) { return h.text.empty() && !h.cut; },
              "Copy it again from where it was written."},
    OtherKind{"an Nsight Systems report (.nsys-rep, .qdrep)",
              [](const FileHead& h) {
                return holds(h.raw.substr(0, 64), "NVIDIA Tegra Profiler") ||
                       holds(h.raw.substr(0, 64), "QDSTRM");
              },
              kRecord},
    OtherKind{"an SQLite database (an Nsight Systems export, perhaps)",
              [](const FileHead& h) {
                return begins(h.text,
                              std::string_view("SQLite format 3\0", 16));
              },
              kRecord},
    OtherKind{"a tar archive",
              [](const FileHead& h) {
                return h.text.size() > 262 &&
                       begins(h.text.substr(257), "ustar");
              },
              "Unpack it and name the traces in it: tar -xf FILE"},
    OtherKind{"a zip archive",
              [](const FileHead& h) { return begins(h.text, "PK\x03\x04"); },
              "Unpack it and name the traces in it: unzip FILE"},
    OtherKind{"rocprofv3 results",
              [](const FileHead& h) {
                return holds(h.text.substr(0, 4096),
                             "\"rocprofiler-sdk-tool\"");
              },
              kRecord},
    OtherKind{"a PyTorch execution trace",
              [](const FileHead& h) {
                return begins(without_space(h.text), "{") &&
                       holds(h.text, "\"nodes\"") &&
                       !holds(h.text, "\"traceEvents\"") &&
                       (holds(h.text, "execution_trace") ||
                        holds(h.text, "\"schema\""));
              },
              "It has no times. Export the profiler's own trace of the same "
              "steps: prof.export_chrome_trace(\"trace.json.gz\")"},
    OtherKind{"a PyTorch memory timeline",
              [](const FileHead& h) {
                const std::string_view text = without_space(h.text);
                return begins(text, "[[") && text.size() > 2 &&
                       (text[2] == '-' || (text[2] >= '0' && text[2] <= '9'));
              },
              "It holds memory events only. Export the profiler's own trace: "
              "prof.export_chrome_trace(\"trace.json.gz\")"},
    OtherKind{"a pickle",
              [](const FileHead& h) {
                return h.text.size() > 2 && h.text[0] == '\x80' &&
                       h.text[1] >= 2 && h.text[1] <= 5;
              },
              kRecord},
    OtherKind{
        "an HTML or XML page",
        [](const FileHead& h) { return begins(without_space(h.text), "<"); },
        "Perhaps a log-in page was saved in place of the trace; "
        "download it again."},
    OtherKind{"a binary file",
              [](const FileHead& h) {
                const std::string_view text = without_space(h.text);
                return holds(h.text.substr(0, 4096),
                             std::string_view("\0", 1)) &&
                       !begins(text, "{") && !begins(text, "[");
              },
              kRecord},
};

const OtherKind* find_kind(const FileHead& head) {
  const auto it =
      std::find_if(kOtherKinds.begin(), kOtherKinds.end(),
                   [&](const OtherKind& kind) { return kind.is(head); });
  return it == kOtherKinds.end() ? nullptr : &*it;
}

}  // namespace

bool is_other_kind(const FileHead& head) { return find_kind(head) != nullptr; }

Error refuse_other_kind(const FileHead& head) {
  Error error;
  error.code = ErrorCode::wrong_kind;
  error.offset = 0;
  const OtherKind* kind = find_kind(head);
  error.text =
      kind == nullptr
          ? fmt::format("unknown kind of file; expected a PyTorch trace. {}",
                        kRecord)
          : fmt::format("{}; expected a PyTorch trace. {}", kind->name,
                        kind->advice);
  return error;
}

}  // namespace gpuledger
