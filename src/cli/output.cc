#include "cli/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "render/display.h"

namespace gpuledger {
namespace {

Error system_error(const std::string& path) {
  const int code = errno;
  return {ErrorCode::io,
          path,
          {},
          "cannot be written: " + std::generic_category().message(code)};
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

}  // namespace

Result<void> write_output(const std::string& path, std::string_view text) {
  if (path.empty() || path == "-") {
    if (write_all(STDOUT_FILENO, text) || errno == EPIPE) return {};
    return fail(system_error("standard output"));
  }
  const int file =
      open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return fail(system_error(path));
  if (!write_all(file, text)) {
    Error error = system_error(path);
    close(file);
    return fail(std::move(error));
  }
  if (close(file) != 0) return fail(system_error(path));
  return {};
}

void print_note(std::string_view text) {
  const std::string line = fmt::format("gpuledger: {}\n", text);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

std::string error_text(const Error& error) {
  std::string text;
  if (!error.file.empty()) text += printable(error.file) + ": ";
  if (error.offset) text += fmt::format("offset {}: ", *error.offset);
  return text + printable(error.text);
}

}  // namespace gpuledger
