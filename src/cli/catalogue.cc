#include "cli/catalogue.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string>
#include <string_view>

#include "cli/exit_code.h"
#include "cli/output.h"
#include "model/account.h"
#include "model/import_stats.h"
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

struct Table {
  std::string_view name;
  std::string (*print)();
};

constexpr std::array kTables{
    Table{"accounts", list_accounts},
    Table{"imports", list_imports},
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
    if (account_within(row.name, arguments.subject)) text += account_line(row);
  for (const ImportRow& row : kImports)
    if (row.id == arguments.subject) text += import_lines(row);
  if (!text.empty()) return print(text);
  print_note(fmt::format(
      "'{}' is no account and no input note; see 'gpuledger list accounts'",
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
