// One compression each: bytes of a file in, bytes of text out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

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
  uint64_t file_bytes_read = 0;        // as far as it was decoded
  std::optional<uint64_t> file_bytes;  // a pipe has no size
};

class Decoder {
 public:
  struct Progress {
    size_t in_bytes = 0, out_bytes = 0;
    bool ended = false;  // nothing will come any more
  };
  virtual ~Decoder() = default;
  // `in` starts at `in_offset` of the file; `at_end`: the file ends with it.
  // Without progress a call asks for more of the file; never if `at_end`.
  virtual Progress decode(std::span<const char> in, uint64_t in_offset,
                          bool at_end, std::span<char> out,
                          DecodeNotes& notes) = 0;
};

// What the first bytes of a file tell.
Compression compression_of(std::span<const char> head);

// None for Compression::none.
std::unique_ptr<Decoder> make_decoder(Compression compression);

// In decode_gzip.cc and decode_zstd.cc.
std::unique_ptr<Decoder> make_gzip_decoder();
std::unique_ptr<Decoder> make_zstd_decoder();

}  // namespace gpuledger
