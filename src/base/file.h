// A file, or standard input, read once from front to back. Pipes work.
#pragma once

#include <optional>
#include <string>

#include "base/byte_source.h"

namespace gpuledger {

class RawFile : public ByteSource {
 public:
  // "-" is standard input. A folder or an unreadable file is an error.
  static Result<RawFile> open(const std::string& path);

  RawFile(RawFile&& other) noexcept;
  RawFile& operator=(RawFile&& other) noexcept;
  ~RawFile() override;

  Result<size_t> read(std::span<char> out) override;
  const std::string& path() const { return path_; }
  // Of a regular file; a pipe has none.
  std::optional<uint64_t> size_bytes() const { return size_bytes_; }

 private:
  RawFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

  int fd_ = -1;
  std::string path_;
  std::optional<uint64_t> size_bytes_;
};

}  // namespace gpuledger
