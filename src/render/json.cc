#include "render/json.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "render/json_writer.h"

namespace gpuledger {
namespace {

using Layout = JsonWriter::Layout;

void field(JsonWriter& json, std::string_view key, std::string_view value) {
  json.key(key);
  json.text(value);
}

// A text that the report does not know is absent, not empty.
void known_field(JsonWriter& json, std::string_view key,
                 std::string_view value) {
  if (!value.empty()) field(json, key, value);
}

void field(JsonWriter& json, std::string_view key, int64_t value) {
  json.key(key);
  json.integer(value);
}

void field_ratio(JsonWriter& json, std::string_view key, double value) {
  json.key(key);
  json.ratio(value);
}

// The list `key` with one `print` per value.
template <class T>
void list(JsonWriter& json, std::string_view key, const std::vector<T>& values,
          void (*print)(JsonWriter&, const T&)) {
  json.key(key);
  json.begin_array(Layout::lines);
  for (const T& value : values) print(json, value);
  json.end();
}

void accounts(JsonWriter& json, const AccountTotals& totals, Layout layout) {
  json.key("accounts");
  json.begin_object(layout);
  for (const AccountRow& row : kAccounts)
    if (totals[row.account] != 0) field(json, row.name, totals[row.account]);
  json.end();
}

void input(JsonWriter& json, const InputReport& in) {
  json.begin_object(Layout::row);
  field(json, "path", in.path);
  field(json, "kind", in.kind);
  field(json, "compression", in.compression);
  field(json, "bytes", in.bytes);
  field(json, "events", in.events);
  json.key("truncated");
  json.boolean(in.truncated);
  if (in.truncated) field_ratio(json, "read_ratio", in.read_ratio);
  known_field(json, "skipped", in.skipped);
  json.end();
}

void verdict_reason(JsonWriter& json, const VerdictReason& value) {
  json.begin_object(Layout::lines);
  field(json, "id", value.id);
  field(json, "text", value.text);
  field(json, "advice", value.advice);
  json.end();
}

void verdict(JsonWriter& json, const Verdict& value) {
  json.key("verdict");
  json.begin_object(Layout::lines);
  field(json, "status", verdict_name(value.status));
  list(json, "reasons", value.reasons, verdict_reason);
  json.end();
}

void step(JsonWriter& json, const StepReport& value) {
  json.begin_object(Layout::row);
  field(json, "label", value.label);
  field(json, "start_ns", value.start_ns);
  field(json, "window_ns", value.window_ns);
  field(json, "host_start_ns", value.host_start_ns);
  field(json, "host_ns", value.host_ns);
  known_field(json, "note", value.note);
  accounts(json, value.accounts, Layout::row);
  json.end();
}

void device(JsonWriter& json, const DeviceReport& value) {
  json.begin_object(Layout::lines);
  field(json, "id", value.id);
  field(json, "name", value.name);
  if (value.rank) field(json, "rank", *value.rank);
  field(json, "window_ns", value.window_ns);
  json.key("window");
  json.begin_object(Layout::row);
  field(json, "start_ns", value.window_start_ns);
  field(json, "end_ns", value.window_start_ns + value.window_ns);
  field(json, "source", value.window_source);
  json.end();
  accounts(json, value.accounts, Layout::lines);
  field_ratio(json, "reported_ratio", value.reported_ratio);
  field_ratio(json, "compute_ratio", value.compute_ratio);
  if (value.tensor_ratio)
    field_ratio(json, "tensor_ratio", *value.tensor_ratio);
  if (value.mfu_ratio) field_ratio(json, "mfu_ratio", *value.mfu_ratio);
  json.key("host_late");
  json.begin_object(Layout::row);
  field(json, "communication_ns", value.host_late_communication_ns);
  field(json, "copy_ns", value.host_late_copy_ns);
  json.end();
  list(json, "steps", value.steps, step);
  json.end();
}

void steps(JsonWriter& json, const StepsReport& value) {
  json.key("steps");
  json.begin_object(Layout::row);
  field(json, "source", step_source_name(value.source));
  known_field(json, "range_name", value.range_name);
  field(json, "count", value.count);
  field(json, "p50_ns", value.p50_ns);
  field(json, "p95_ns", value.p95_ns);
  field(json, "host_p50_ns", value.host_p50_ns);
  if (value.run_ahead_change_ratio)
    field_ratio(json, "run_ahead_change_ratio", *value.run_ahead_change_ratio);
  json.end();
}

void cycle(JsonWriter& json, const CycleReport& value) {
  json.key("cycle");
  json.begin_object(Layout::row);
  field(json, "kernels", value.kernels);
  field(json, "count", value.count);
  field(json, "p50_ns", value.p50_ns);
  json.end();
}

void kernel(JsonWriter& json, const KernelReport& value) {
  json.begin_object(Layout::row);
  field(json, "device", value.device);
  field(json, "name", value.name);
  field(json, "class", value.klass);
  field(json, "count", value.count);
  field(json, "total_ns", value.total_ns);
  json.end();
}

void evidence_event(JsonWriter& json, const EvidenceEvent& value) {
  json.begin_object(Layout::row);
  field(json, "name", value.name);
  known_field(json, "device", value.device);
  known_field(json, "thread", value.thread);
  field(json, "start_ns", value.start_ns);
  field(json, "dur_ns", value.dur_ns);
  json.end();
}

void evidence(JsonWriter& json, const Evidence& value) {
  json.begin_object(value.events.empty() ? Layout::row : Layout::lines);
  field(json, "metric", value.metric);
  json.key("value");
  json.number(value.value);
  field(json, "unit", value.unit);
  known_field(json, "device", value.device);
  if (value.start_ns) field(json, "start_ns", *value.start_ns);
  if (value.end_ns) field(json, "end_ns", *value.end_ns);
  if (!value.events.empty()) list(json, "events", value.events, evidence_event);
  json.end();
}

void where(JsonWriter& json, const Where& value) {
  json.begin_object(Layout::row);
  known_field(json, "file", value.file);
  if (value.line > 0) field(json, "line", value.line);
  known_field(json, "function", value.function);
  known_field(json, "op", value.op);
  known_field(json, "module", value.module);
  field_ratio(json, "share", value.share);
  json.end();
}

void gain(JsonWriter& json, const Gain& value) {
  json.key("gain");
  json.begin_object(Layout::row);
  field(json, "kind", value.from_replay ? "replay" : "upper_bound");
  field(json, "low_ns_per_step", value.low_ns_per_step);
  field(json, "high_ns_per_step", value.high_ns_per_step);
  json.end();
}

void remedy(JsonWriter& json, const Remedy& value) {
  json.key("remedy");
  json.begin_object(Layout::lines);
  field(json, "text", value.text);
  known_field(json, "code", value.code);
  json.end();
}

void finding(JsonWriter& json, const Finding& value) {
  json.begin_object(Layout::lines);
  field(json, "id", value.id);
  field(json, "cause", value.cause);
  field(json, "title", value.title);
  field(json, "layer", value.layer);
  field(json, "severity", value.severity);
  field(json, "certainty", certainty_name(value.certainty));
  known_field(json, "device", value.device);
  if (value.rank) field(json, "rank", *value.rank);
  field(json, "lost_ns_per_step", value.lost_ns_per_step);
  field_ratio(json, "lost_ratio", value.lost_ratio);
  gain(json, value.gain);
  list(json, "evidence", value.evidence, evidence);
  list(json, "where", value.where, where);
  known_field(json, "where_note", value.where_note);
  remedy(json, value.remedy);
  field(json, "page", value.page);
  json.end();
}

void blocked(JsonWriter& json, const Blocked& value) {
  json.begin_object(Layout::row);
  field(json, "id", value.id);
  field(json, "needs", value.needs);
  json.end();
}

void import_note(JsonWriter& json, const ImportReport& value) {
  json.begin_object(Layout::row);
  field(json, "id", value.id);
  field(json, "severity", severity_name(value.severity));
  field(json, "count", value.count);
  if (value.first_offset) {
    json.key("first_offset");
    json.unsigned_integer(*value.first_offset);
  }
  field(json, "advice", value.advice);
  json.end();
}

void host_row(JsonWriter& json, const HostReport::Row& value) {
  json.begin_object(Layout::row);
  field(json, "name", value.name);
  field(json, "kind", value.kind);
  field(json, "count", value.count);
  field(json, "self_ns", value.self_ns);
  json.end();
}

void host(JsonWriter& json, const HostReport& value) {
  json.key("host");
  json.begin_object(Layout::lines);
  field(json, "span_ns", value.span_ns);
  field(json, "threads", value.threads);
  list(json, "top", value.top, host_row);
  json.end();
}

}  // namespace

std::string render_json(const Report& report) {
  std::string out;
  JsonWriter json(out);
  json.begin_object(Layout::lines);
  field(json, "schema", "gpuledger.report/1");
  field(json, "tool_version", report.tool_version);
  // A string: epoch nanoseconds do not fit the doubles of most JSON readers.
  field(json, "origin_ns", fmt::format("{}", report.origin_ns));
  list(json, "inputs", report.inputs, input);
  known_field(json, "framework", report.framework);
  verdict(json, report.verdict);
  list(json, "devices", report.devices, device);
  steps(json, report.steps);
  if (report.cycle) cycle(json, *report.cycle);
  list(json, "kernels", report.kernels, kernel);
  list(json, "findings", report.findings, finding);
  json.key("quiet");
  json.begin_array(Layout::row);
  for (const std::string& id : report.quiet) json.text(id);
  json.end();
  list(json, "blocked", report.blocked, blocked);
  list(json, "imports", report.imports, import_note);
  if (report.host) host(json, *report.host);
  json.end();
  out += '\n';
  return out;
}

}  // namespace gpuledger
