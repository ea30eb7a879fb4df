#include "base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace gpuledger {
namespace {

Error io_error(const std::string& path, std::string text) {
  return Error{ErrorCode::io, path, {}, std::move(text)};
}

}  // namespace

Result<RawFile> RawFile::open(const std::string& path) {
  const bool is_stdin = path == "-";
  const int fd = is_stdin ? ::dup(STDIN_FILENO)
                          : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return fail(
        io_error(path, fmt::format("cannot open: {}", std::strerror(errno))));
  RawFile file(fd, path);
  struct stat status;
  if (::fstat(fd, &status) != 0)
    return fail(io_error(
        path, fmt::format("cannot read its status: {}", std::strerror(errno))));
  if (S_ISDIR(status.st_mode))
    return fail(io_error(path, "is a folder; a file is needed"));
  if (S_ISREG(status.st_mode)) {
    file.size_bytes_ = static_cast<uint64_t>(status.st_size);
    // A hint: it does not matter if it is refused.
    (void)::posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  }
  return file;
}

RawFile::RawFile(RawFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      path_(std::move(other.path_)),
      size_bytes_(other.size_bytes_) {}

RawFile& RawFile::operator=(RawFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  std::swap(size_bytes_, other.size_bytes_);
  return *this;
}

RawFile::~RawFile() {
  if (fd_ >= 0) ::close(fd_);
}

Result<size_t> RawFile::read(std::span<char> out) {
  while (true) {
    const ssize_t count = ::read(fd_, out.data(), out.size());
    if (count >= 0) return static_cast<size_t>(count);
    if (errno != EINTR)
      return fail(io_error(
          path_, fmt::format("cannot read: {}", std::strerror(errno))));
  }
}

}  // namespace gpuledger
