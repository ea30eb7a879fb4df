// The text of a file that may be compressed. The kind is told by the content,
// never by the name. A stream that breaks gives all that could be decoded and
// then ends; what was wrong stands in DecodeNotes. Not for several threads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/byte_source.h"
#include "base/decode_stream.h"

namespace gpuledger {

class DecodedFile : public ByteSource {
 public:
  static constexpr size_t kPeekBytes = 64 << 10;
  static constexpr size_t kBufferBytes = 1 << 20;

  // `file` as it is on disk; `file_bytes` if its size is known.
  static Result<std::unique_ptr<DecodedFile>> create(
      std::unique_ptr<ByteSource> file, std::optional<uint64_t> file_bytes);

  Result<size_t> read(std::span<char> out) override;

  // The first bytes of the text (up to kPeekBytes), not consumed; valid at any
  // time. raw_peek(): the first bytes of the file itself.
  std::span<const char> peek() const { return peek_; }
  std::span<const char> raw_peek() const { return raw_peek_; }
  const DecodeNotes& notes() const { return notes_; }

 private:
  DecodedFile(std::unique_ptr<ByteSource> file,
              std::optional<uint64_t> file_bytes);
  Result<bool> fill();
  Result<size_t> copy_some(std::span<char> out);
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
