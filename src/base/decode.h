// The text of a file that may be compressed. The kind is told by the content,
// never by the name. A stream that breaks gives all that could be decoded and
// then ends; what was wrong stands in DecodeNotes. Not for several threads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_source.h"
#include "base/file.h"

namespace gpuledger {

enum class Compression : uint8_t { none, gzip, zstd };
std::string_view compression_name(Compression compression);

// Offsets count bytes of the file. Complete once read() has returned 0.
struct DecodeNotes {
  Compression compression = Compression::none;
  int64_t members = 0;  // gzip members or zstd frames begun
  // Bytes after the last member that are no padding; they were not read.
  std::optional<uint64_t> trailing_offset;
  // The file ends inside the trailer: all data is there, but unchecked.
  std::optional<uint64_t> checksum_missing_offset;
  std::optional<uint64_t> checksum_wrong_offset;
  // The data ends or breaks here; corrupt_text says how if it breaks.
  std::optional<uint64_t> truncated_offset;
  std::string corrupt_text;
  uint64_t file_bytes_read = 0;
  std::optional<uint64_t> file_bytes;  // a pipe has no size
};

// One compression: turns bytes of a file into bytes of text.
class Decoder {
 public:
  struct Progress {
    size_t in_bytes = 0, out_bytes = 0;
    bool ended = false;  // nothing will come any more
  };
  virtual ~Decoder() = default;
  // `in` starts at `in_offset` of the file; `at_end`: the file ends with it.
  // Makes progress unless `in` is empty and not `at_end`.
  virtual Progress decode(std::span<const char> in, uint64_t in_offset,
                          bool at_end, std::span<char> out,
                          DecodeNotes& notes) = 0;
};

class DecodedFile : public ByteSource {
 public:
  static constexpr size_t kPeekBytes = 64 << 10;
  static constexpr size_t kBufferBytes = 1 << 20;

  // `file` as it is on disk; `buffer_bytes` of it are read at a time.
  static Result<std::unique_ptr<DecodedFile>> create(
      std::unique_ptr<ByteSource> file, std::optional<uint64_t> file_bytes,
      size_t buffer_bytes = kBufferBytes);

  Result<size_t> read(std::span<char> out) override;

  // The first bytes of the text (up to kPeekBytes), not consumed; valid at any
  // time. raw_peek(): the first bytes of the file itself.
  std::span<const char> peek() const { return peek_; }
  std::span<const char> raw_peek() const { return raw_peek_; }
  const DecodeNotes& notes() const { return notes_; }

 private:
  DecodedFile(std::unique_ptr<ByteSource> file,
              std::optional<uint64_t> file_bytes, size_t buffer_bytes);
  Result<bool> fill();
  Result<size_t> decode_some(std::span<char> out);
  Result<bool> load_head();

  std::unique_ptr<ByteSource> file_;
  std::unique_ptr<Decoder> decoder_;  // none: the text is the file
  std::vector<char> buffer_;
  size_t begin_ = 0, end_ = 0;  // of what is not yet decoded in buffer_
  bool file_ended_ = false, ended_ = false;
  std::vector<char> raw_peek_, peek_;
  size_t peek_read_ = 0;  // how much of peek_ read() has given
  DecodeNotes notes_;
};

// "-" is standard input.
Result<std::unique_ptr<DecodedFile>> open_decoded(const std::string& path);

}  // namespace gpuledger
