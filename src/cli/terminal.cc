#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace gpuledger {
namespace {

constexpr size_t kDefaultWidth = 80;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

bool use_color(Color choice) {
  if (choice != Color::automatic) return choice == Color::always;
  return environment("NO_COLOR").empty() && environment("TERM") != "dumb" &&
         isatty(STDOUT_FILENO) != 0;
}

size_t terminal_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  const std::string_view columns = environment("COLUMNS");
  size_t width = 0;
  std::from_chars(columns.data(), columns.data() + columns.size(), width);
  return width > 0 ? width : kDefaultWidth;
}

}  // namespace gpuledger
