// zstd: frames one after the other, some of which hold no text (skippable).
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>

#include "base/decode_stream.h"

namespace gpuledger {
namespace {

constexpr size_t kMagicBytes = 4;
constexpr size_t kChecksumBytes = 4;
constexpr size_t kFirstBytes = 5;  // of a frame, that tell how many more

class ZstdDecoder : public Decoder {
 public:
  ZstdDecoder() : stream_(ZSTD_createDStream()) {}
  ZstdDecoder(const ZstdDecoder&) = delete;
  ZstdDecoder& operator=(const ZstdDecoder&) = delete;
  ~ZstdDecoder() override { ZSTD_freeDStream(stream_); }

  Progress decode(std::span<const char> in, uint64_t in_offset, bool at_end,
                  std::span<char> out, DecodeNotes& notes) override;

 private:
  // Skips padding; false: no frame begins in `in`, or it takes more to tell.
  bool find_frame(ZSTD_inBuffer& in, uint64_t in_offset, bool at_end,
                  DecodeNotes& notes);
  void decode_frame(ZSTD_inBuffer& in, uint64_t in_offset, bool at_end,
                    ZSTD_outBuffer& out, DecodeNotes& notes);

  void end_frame();

  ZSTD_DStream* stream_;
  bool in_frame_ = false, ended_ = false;
  size_t wanted_ = kFirstBytes;  // what the stream asks for next
  bool flushing_ = false;        // the last call filled its output
};

Decoder::Progress ZstdDecoder::decode(std::span<const char> in,
                                      uint64_t in_offset, bool at_end,
                                      std::span<char> out, DecodeNotes& notes) {
  ZSTD_inBuffer input{in.data(), in.size(), 0};
  ZSTD_outBuffer output{out.data(), out.size(), 0};
  while (!ended_) {
    if (!in_frame_ && !find_frame(input, in_offset, at_end, notes)) break;
    const size_t in_before = input.pos, out_before = output.pos;
    const bool was_flushing = flushing_;
    decode_frame(input, in_offset, at_end, output, notes);
    const bool stuck = input.pos == in_before && output.pos == out_before &&
                       was_flushing == flushing_;
    if (stuck && in_frame_) break;
  }
  return {input.pos, output.pos, ended_};
}

bool ZstdDecoder::find_frame(ZSTD_inBuffer& in, uint64_t in_offset, bool at_end,
                             DecodeNotes& notes) {
  const auto* bytes = static_cast<const char*>(in.src);
  if (notes.members > 0)
    while (in.pos < in.size && bytes[in.pos] == 0) ++in.pos;
  const std::span<const char> rest(bytes + in.pos, in.size - in.pos);
  if (rest.size() < kMagicBytes && !at_end) return false;
  if (rest.empty()) {
    ended_ = true;
    return false;
  }
  if (compression_of(rest) != Compression::zstd) {
    notes.trailing_offset = in_offset + in.pos;
    ended_ = true;
    return false;
  }
  ++notes.members;
  in_frame_ = true;
  return true;
}

void ZstdDecoder::decode_frame(ZSTD_inBuffer& in, uint64_t in_offset,
                               bool at_end, ZSTD_outBuffer& out,
                               DecodeNotes& notes) {
  const size_t in_before = in.pos, out_before = out.pos;
  // An error takes back all that its call gave: so each gets a block or the
  // checksum, and none while text of before waits for room.
  ZSTD_inBuffer piece = in;
  piece.size = flushing_ ? in.pos : std::min(in.size, in.pos + wanted_);
  const size_t code = ZSTD_decompressStream(stream_, &out, &piece);
  flushing_ = out.pos == out.size;
  if (ZSTD_getErrorCode(code) == ZSTD_error_checksum_wrong) {
    notes.checksum_wrong_offset = in_offset + piece.size - kChecksumBytes;
    in.pos = piece.size;
    end_frame();
  } else if (ZSTD_isError(code)) {
    notes.truncated_offset = in_offset + in_before;
    notes.corrupt_text = ZSTD_getErrorName(code);
    ended_ = true;
  } else {
    in.pos = piece.pos;
    wanted_ = code;
    if (code == 0) {
      end_frame();
    } else if (at_end && !flushing_ && in.pos == in.size &&
               in.pos == in_before && out.pos == out_before) {
      notes.truncated_offset = in_offset + in.pos;
      ended_ = true;
    }
  }
}

void ZstdDecoder::end_frame() {
  ZSTD_DCtx_reset(stream_, ZSTD_reset_session_only);
  wanted_ = kFirstBytes;
  in_frame_ = flushing_ = false;
}

}  // namespace

std::unique_ptr<Decoder> make_zstd_decoder() {
  return std::make_unique<ZstdDecoder>();
}

}  // namespace gpuledger
