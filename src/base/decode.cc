#include "base/decode.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "base/file.h"

namespace gpuledger {

std::string_view compression_name(Compression compression) {
  switch (compression) {
    case Compression::gzip:
      return "gzip";
    case Compression::zstd:
      return "zstd";
    case Compression::none:
      break;
  }
  return "none";
}

Compression compression_of(std::span<const char> head) {
  const std::string_view text(head.data(), head.size());
  if (text.starts_with("\x1f\x8b")) return Compression::gzip;
  if (text.starts_with("\x28\xb5\x2f\xfd")) return Compression::zstd;
  // A skippable frame, which only zstd streams have: 0x184D2A50 to 0x184D2A5F.
  if (text.size() >= 4 && (static_cast<uint8_t>(text[0]) & 0xf0) == 0x50 &&
      text.substr(1).starts_with("\x2a\x4d\x18"))
    return Compression::zstd;
  return Compression::none;
}

std::unique_ptr<Decoder> make_decoder(Compression compression) {
  switch (compression) {
    case Compression::gzip:
      return make_gzip_decoder();
    case Compression::zstd:
      return make_zstd_decoder();
    case Compression::none:
      break;
  }
  return nullptr;
}

DecodedFile::DecodedFile(std::unique_ptr<ByteSource> file,
                         std::optional<uint64_t> file_bytes)
    : file_(std::move(file)), buffer_(kBufferBytes) {
  notes_.file_bytes = file_bytes;
}

Result<std::unique_ptr<DecodedFile>> DecodedFile::create(
    std::unique_ptr<ByteSource> file, std::optional<uint64_t> file_bytes) {
  std::unique_ptr<DecodedFile> decoded(
      new DecodedFile(std::move(file), file_bytes));
  RETURN_IF_ERROR(decoded->load_head());
  return decoded;
}

Result<bool> DecodedFile::load_head() {
  while (end_ < kPeekBytes && !file_ended_) RETURN_IF_ERROR(fill());
  raw_peek_.assign(buffer_.begin(),
                   buffer_.begin() + std::min(end_, kPeekBytes));
  notes_.compression = compression_of(raw_peek_);
  decoder_ = make_decoder(notes_.compression);
  if (!decoder_) {
    peek_ = raw_peek_;
    peek_read_ = peek_.size();  // still in buffer_
    return true;
  }
  peek_.resize(kPeekBytes);
  size_t size = 0;
  while (size < peek_.size()) {
    ASSIGN_OR_RETURN(const size_t count,
                     decode_some(std::span(peek_).subspan(size)));
    if (count == 0) break;
    size += count;
  }
  peek_.resize(size);
  return true;
}

// Reads on behind what is not yet decoded.
Result<bool> DecodedFile::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  CHECK(end_ < buffer_.size());
  ASSIGN_OR_RETURN(const size_t count,
                   file_->read(std::span(buffer_).subspan(end_)));
  end_ += count;
  if (count == 0) file_ended_ = true;
  return true;
}

Result<size_t> DecodedFile::read(std::span<char> out) {
  if (peek_read_ < peek_.size()) {
    const size_t count = std::min(out.size(), peek_.size() - peek_read_);
    std::memcpy(out.data(), peek_.data() + peek_read_, count);
    peek_read_ += count;
    return count;
  }
  return decoder_ ? decode_some(out) : copy_some(out);
}

Result<size_t> DecodedFile::copy_some(std::span<char> out) {
  size_t count = std::min(out.size(), end_ - begin_);
  if (count > 0) {
    std::memcpy(out.data(), buffer_.data() + begin_, count);
    begin_ += count;
  } else if (!file_ended_) {
    ASSIGN_OR_RETURN(count, file_->read(out));
    if (count == 0) file_ended_ = true;
  }
  notes_.file_bytes_read += count;
  return count;
}

Result<size_t> DecodedFile::decode_some(std::span<char> out) {
  while (!ended_) {
    const std::span<const char> in(buffer_.data() + begin_, end_ - begin_);
    const Decoder::Progress progress =
        decoder_->decode(in, notes_.file_bytes_read, file_ended_, out, notes_);
    begin_ += progress.in_bytes;
    notes_.file_bytes_read += progress.in_bytes;
    ended_ = progress.ended;
    if (progress.out_bytes > 0) return progress.out_bytes;
    if (progress.in_bytes > 0 || ended_) continue;
    CHECK(!file_ended_);
    RETURN_IF_ERROR(fill());
  }
  return size_t{0};
}

Result<std::unique_ptr<DecodedFile>> open_decoded(const std::string& path) {
  ASSIGN_OR_RETURN(auto file, RawFile::open(path));
  const auto file_bytes = file.size_bytes();
  return DecodedFile::create(std::make_unique<RawFile>(std::move(file)),
                             file_bytes);
}

}  // namespace gpuledger
