#include "cli/catalogue.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string>
#include <string_view>

#include "cli/exit_code.h"
#include "cli/output.h"
#include "detect/detector.h"
#include "model/account.h"
#include "model/import_stats.h"
#include "read/reader.h"
#include "render/display.h"

namespace gpuledger {
namespace {

std::string account_line(const AccountRow& row) {
  return fmt::format("{:<24}{}\n", row.name, row.what);
}

std::string import_lines(const ImportRow& row) {
  std::string text =
      fmt::format("{:<24}{}\n", row.id, severity_name(row.severity));
  for (const std::string& line : wrap(row.advice, 76))
    text += fmt::format("    {}\n", line);
  return text;
}

std::string finding_line(const Detector& detector) {
  return fmt::format("{:<24}{:<7}{}\n", detector.id, detector.cause,
                     detector.title);
}

std::string finding_page(const Detector& detector) {
  std::string text = finding_line(detector) + "\n";
  for (const std::string& line : wrap(detector.remedy, 76))
    text += fmt::format("{}\n", line);
  text += "\n";
  std::string_view code = detector.code;
  while (!code.empty()) {
    const size_t end = code.find('\n');
    text += fmt::format("    {}\n", code.substr(0, end));
    code = end == std::string_view::npos ? "" : code.substr(end + 1);
  }
  return text +
         fmt::format("\nread more: docs/findings/{}.md\n", detector.cause);
}

std::string list_causes() {
  std::string text;
  for (const Detector& detector : kDetectors) text += finding_line(detector);
  return text;
}

std::string list_readers() {
  std::string text;
  for (const Reader& reader : kReaders)
    text += fmt::format("{:<24}{}\n", reader.id, reader.what);
  return text;
}

std::string list_accounts() {
  std::string text;
  for (const AccountRow& row : kAccounts) text += account_line(row);
  return text;
}

std::string list_imports() {
  std::string text;
  for (const ImportRow& row : kImports) text += import_lines(row);
  return text;
}

// "idle.launch", "launch" and "launch.api" name accounts: the report's rows
// show the last part only.
bool is_named(std::string_view account, std::string_view subject) {
  while (!account_within(account, subject)) {
    const size_t dot = account.find('.');
    if (dot == std::string_view::npos) return false;
    account.remove_prefix(dot + 1);
  }
  return true;
}

struct Table {
  std::string_view name;
  std::string (*print)();
};

constexpr std::array kTables{
    Table{"accounts", list_accounts},
    Table{"causes", list_causes},
    Table{"imports", list_imports},
    Table{"readers", list_readers},
};

int print(const std::string& text) {
  const Result<void> result = write_output("", text);
  if (result) return kOk;
  print_note(error_text(result.error()));
  return kOutputFailed;
}

}  // namespace

int run_explain(const Arguments& arguments) {
  std::string text;
  for (const AccountRow& row : kAccounts)
    if (is_named(row.name, arguments.subject)) text += account_line(row);
  for (const Detector& detector : kDetectors)
    if (detector.id == arguments.subject || detector.cause == arguments.subject)
      text += finding_page(detector);
  for (const ImportRow& row : kImports)
    if (row.id == arguments.subject) text += import_lines(row);
  if (!text.empty()) return print(text);
  print_note(
      fmt::format("'{}' is no cause, account or input note; see 'gpuledger "
                  "list causes' and 'gpuledger list accounts'",
                  printable(arguments.subject)));
  return kWrongUsage;
}

int run_list(const Arguments& arguments) {
  std::string names;
  for (const Table& table : kTables) {
    if (table.name == arguments.subject) return print(table.print());
    names += fmt::format("{}{}", names.empty() ? "" : ", ", table.name);
  }
  print_note(fmt::format("there is no table '{}'; there are: {}",
                         printable(arguments.subject), names));
  return kWrongUsage;
}

}  // namespace gpuledger
