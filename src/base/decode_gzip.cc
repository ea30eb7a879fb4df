// gzip: members one after the other, each with a header, data and a trailer of
// checksum and length. The header and the trailer are read here, apart from
// the data, so that a damaged trailer costs no data.
#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <array>

#include "base/decode_stream.h"

namespace gpuledger {
namespace {

constexpr size_t kTrailerBytes = 8;

uint32_t little_endian(const uint8_t* bytes) {
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 |
         static_cast<uint32_t>(bytes[3]) << 24;
}

std::string_view inflate_error(int code) {
  switch (code) {
    case ISAL_INVALID_BLOCK:
      return "invalid deflate block";
    case ISAL_INVALID_SYMBOL:
      return "invalid deflate symbol";
    case ISAL_INVALID_LOOKBACK:
      return "deflate refers to text before the begin";
    case ISAL_INVALID_WRAPPER:
      return "invalid gzip header";
    case ISAL_UNSUPPORTED_METHOD:
      return "unknown gzip compression method";
    case ISAL_INCORRECT_CHECKSUM:
      return "wrong checksum of the gzip header";
    default:
      return "invalid deflate data";
  }
}

class GzipDecoder : public Decoder {
 public:
  Progress decode(std::span<const char> in, uint64_t in_offset, bool at_end,
                  std::span<char> out, DecodeNotes& notes) override;

 private:
  enum class Phase { between, header, data, trailer, ended };
  // One call's input and what is left of its output.
  struct Call {
    const uint8_t* next;
    const uint8_t* end;
    uint64_t end_offset;
    bool at_end;
    std::span<char> out;
    DecodeNotes& notes;

    size_t left() const { return static_cast<size_t>(end - next); }
    uint64_t offset() const { return end_offset - left(); }
  };

  // Each returns whether the next phase can go on at once.
  bool find_member(Call& call);
  bool read_header(Call& call);
  bool read_data(Call& call);
  bool read_trailer(Call& call);
  bool end_truncated(Call& call, std::string_view corrupt_text);
  void begin_trailer();

  inflate_state state_{};
  isal_gzip_header header_{};
  Phase phase_ = Phase::between;
  uint64_t member_offset_ = 0;
  uint32_t member_bytes_ = 0;  // of text; the trailer holds it modulo 2^32
  std::array<uint8_t, kTrailerBytes> trailer_{};
  size_t trailer_size_ = 0;
};

Decoder::Progress GzipDecoder::decode(std::span<const char> in,
                                      uint64_t in_offset, bool at_end,
                                      std::span<char> out, DecodeNotes& notes) {
  const auto* begin = reinterpret_cast<const uint8_t*>(in.data());
  Call call{begin, begin + in.size(), in_offset + in.size(), at_end, out,
            notes};
  bool more = true;
  while (more) {
    switch (phase_) {
      case Phase::between:
        more = find_member(call);
        break;
      case Phase::header:
        more = read_header(call);
        break;
      case Phase::data:
        more = read_data(call);
        break;
      case Phase::trailer:
        more = read_trailer(call);
        break;
      case Phase::ended:
        more = false;
    }
  }
  return {in.size() - call.left(), out.size() - call.out.size(),
          phase_ == Phase::ended};
}

bool GzipDecoder::find_member(Call& call) {
  if (call.notes.members > 0)
    call.next = std::find_if(call.next, call.end,
                             [](uint8_t byte) { return byte != 0; });
  if (call.left() < 2 && !call.at_end) return false;
  if (call.left() == 0) {
    phase_ = Phase::ended;
    return false;
  }
  if (call.left() < 2 || call.next[0] != 0x1f || call.next[1] != 0x8b) {
    call.notes.trailing_offset = call.offset();
    phase_ = Phase::ended;
    return false;
  }
  isal_inflate_init(&state_);
  isal_gzip_header_init(&header_);
  state_.crc_flag = ISAL_GZIP_NO_HDR;
  member_offset_ = call.offset();
  member_bytes_ = 0;
  ++call.notes.members;
  phase_ = Phase::header;
  return true;
}

bool GzipDecoder::read_header(Call& call) {
  state_.next_in = const_cast<uint8_t*>(call.next);
  state_.avail_in = static_cast<uint32_t>(call.left());
  const int code = isal_read_gzip_header(&state_, &header_);
  call.next = state_.next_in;
  if (code == ISAL_DECOMP_OK) {
    phase_ = Phase::data;
    return true;
  }
  if (code == ISAL_END_INPUT)
    return call.at_end ? end_truncated(call, {}) : false;
  if (call.notes.members == 1) return end_truncated(call, inflate_error(code));
  // Bytes behind a good member that only look like another one.
  --call.notes.members;
  call.notes.trailing_offset = member_offset_;
  phase_ = Phase::ended;
  return false;
}

bool GzipDecoder::read_data(Call& call) {
  if (call.out.empty()) return false;
  state_.next_in = const_cast<uint8_t*>(call.next);
  state_.avail_in = static_cast<uint32_t>(call.left());
  state_.next_out = reinterpret_cast<uint8_t*>(call.out.data());
  state_.avail_out =
      static_cast<uint32_t>(std::min<size_t>(call.out.size(), 1u << 30));
  const int code = isal_inflate(&state_);
  const auto count = static_cast<size_t>(
      state_.next_out - reinterpret_cast<uint8_t*>(call.out.data()));
  const bool stuck = count == 0 && state_.next_in == call.next;
  call.next = state_.next_in;
  call.out = call.out.subspan(count);
  member_bytes_ += static_cast<uint32_t>(count);
  if (code != ISAL_DECOMP_OK) return end_truncated(call, inflate_error(code));
  if (state_.block_state == ISAL_BLOCK_FINISH) {
    begin_trailer();
    return true;
  }
  if (stuck && call.at_end) return end_truncated(call, {});
  return !stuck;
}

// The inflater reads up to eight bytes ahead; they belong to the trailer.
void GzipDecoder::begin_trailer() {
  trailer_size_ = 0;
  uint64_t ahead = state_.read_in >> (state_.read_in_length % 8);
  for (int32_t bits = state_.read_in_length; bits >= 8; bits -= 8) {
    trailer_[trailer_size_++] = static_cast<uint8_t>(ahead);
    ahead >>= 8;
  }
  phase_ = Phase::trailer;
}

bool GzipDecoder::read_trailer(Call& call) {
  while (trailer_size_ < kTrailerBytes && call.left() > 0)
    trailer_[trailer_size_++] = *call.next++;
  if (trailer_size_ < kTrailerBytes) {
    if (!call.at_end) return false;
    call.notes.checksum_missing_offset = call.offset();
    phase_ = Phase::ended;
    return false;
  }
  const bool right = little_endian(trailer_.data()) == state_.crc &&
                     little_endian(trailer_.data() + 4) == member_bytes_;
  if (!right && !call.notes.checksum_wrong_offset)
    call.notes.checksum_wrong_offset = call.offset() - kTrailerBytes;
  phase_ = Phase::between;
  return true;
}

bool GzipDecoder::end_truncated(Call& call, std::string_view corrupt_text) {
  call.notes.truncated_offset = call.offset();
  call.notes.corrupt_text = corrupt_text;
  phase_ = Phase::ended;
  return false;
}

}  // namespace

std::unique_ptr<Decoder> make_gzip_decoder() {
  return std::make_unique<GzipDecoder>();
}

}  // namespace gpuledger
