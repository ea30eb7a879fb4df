#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "render/display.h"
#include "render/text_sections.h"
#include "render/units.h"

namespace gpuledger {
namespace {

Paint paint_of(Severity severity) {
  switch (severity) {
    case Severity::info:
      return Paint::dim;
    case Severity::notice:
      return Paint::plain;
    case Severity::data_loss:
      return Paint::warn;
  }
  return Paint::plain;
}

}  // namespace

void print_imports(const Report& report, TextPage& page) {
  if (report.imports.empty()) return;
  page.blank();
  page.line({{pad_right("INPUT NOTES", 24), Paint::bold},
             {pad_left("count", 10), Paint::dim},
             {pad_left("first at byte", 16), Paint::dim}});
  for (const ImportReport& note : report.imports) {
    const std::string offset =
        note.first_offset ? fmt::format("{}", *note.first_offset) : "";
    page.line(
        {{"  " + pad_right(printable(note.id), 22), paint_of(note.severity)},
         {pad_left(format_count(note.count), 10)},
         {pad_left(offset, 16)}});
    page.paragraph(4, {}, 4, note.advice, Paint::dim);
  }
}

void print_host(const Report& report, TextPage& page) {
  const HostReport& host = *report.host;
  page.heading(fmt::format("HOST  {}, {}", format_ns(host.span_ns),
                           counted(host.threads, "thread")));
  const size_t shown = std::min(host.top.size(), page.top());
  if (shown > 0)
    page.line({{fmt::format("  {:>10}{:>10}  {:<8}  {}", "self time", "count",
                            "kind", "name"),
                Paint::dim}});
  for (size_t i = 0; i < shown; ++i) {
    const HostReport::Row& row = host.top[i];
    page.line({{pad_left(format_ns(row.self_ns), 12)},
               {pad_left(format_count(row.count), 10)},
               {"  " + pad_right(printable(row.kind), 8)},
               {"  " + row.name}});
  }
  if (shown < host.top.size())
    page.line({{fmt::format("  and {} more (--top N)", host.top.size() - shown),
                Paint::dim}});
}

}  // namespace gpuledger
