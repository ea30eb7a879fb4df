#include "base/decode.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <isa-l/igzip_lib.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <random>

namespace gpuledger {
namespace {

std::string gzip(std::string_view text) {
  isal_zstream stream;
  isal_deflate_init(&stream);
  stream.gzip_flag = IGZIP_GZIP;
  stream.end_of_stream = 1;
  std::vector<uint8_t> level(ISAL_DEF_LVL1_DEFAULT);
  stream.level = 1;
  stream.level_buf = level.data();
  stream.level_buf_size = static_cast<uint32_t>(level.size());
  std::string out(text.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uint32_t>(text.size());
  stream.next_out = reinterpret_cast<uint8_t*>(out.data());
  stream.avail_out = static_cast<uint32_t>(out.size());
  EXPECT_EQ(isal_deflate(&stream), COMP_OK);
  out.resize(stream.total_out);
  return out;
}

std::string zstd(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(
      ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

std::string zstd_with_checksum(std::string_view text) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress2(context, out.data(), out.size(), text.data(),
                            text.size()));
  ZSTD_freeCCtx(context);
  return out;
}

std::string skippable(std::string_view text) {
  return std::string("\x5a\x2a\x4d\x18", 4) + static_cast<char>(text.size()) +
         std::string(3, '\0') + std::string(text);
}

std::string sample_text(size_t bytes) {
  std::mt19937 random(7);
  std::string text;
  while (text.size() < bytes)
    text += "{\"ts\": " + std::to_string(random()) + ", \"name\": \"op\"},\n";
  text.resize(bytes);
  return text;
}

class TextSource : public ByteSource {
 public:
  TextSource(std::string text, size_t chunk_bytes)
      : text_(std::move(text)), chunk_bytes_(chunk_bytes) {}
  Result<size_t> read(std::span<char> out) override {
    const size_t count =
        std::min({out.size(), text_.size() - at_, chunk_bytes_});
    std::memcpy(out.data(), text_.data() + at_, count);
    at_ += count;
    return count;
  }

 private:
  std::string text_;
  size_t chunk_bytes_, at_ = 0;
};

struct Decoded {
  std::string text;
  DecodeNotes notes;
};

Decoded decode_file(const std::string& file, size_t chunk_bytes = SIZE_MAX) {
  auto decoded = DecodedFile::create(
      std::make_unique<TextSource>(file, chunk_bytes), file.size());
  EXPECT_TRUE(decoded.has_value());
  Decoded result;
  const std::string peek((*decoded)->peek().begin(), (*decoded)->peek().end());
  const std::string raw((*decoded)->raw_peek().begin(),
                        (*decoded)->raw_peek().end());
  std::vector<char> buffer(100'000);
  while (true) {
    const auto count = (*decoded)->read(buffer);
    EXPECT_TRUE(count.has_value());
    if (!count || *count == 0) break;
    result.text.append(buffer.data(), *count);
  }
  EXPECT_EQ(peek, result.text.substr(0, DecodedFile::kPeekBytes));
  EXPECT_EQ(raw, file.substr(0, DecodedFile::kPeekBytes));
  result.notes = (*decoded)->notes();
  return result;
}

// The decoder alone, with so few bytes at a time that every state is left and
// entered again.
Decoded decode_bytewise(const std::string& file, size_t in_bytes,
                        size_t out_bytes) {
  Decoded result;
  const auto decoder = make_decoder(compression_of(file));
  std::vector<char> out(out_bytes);
  size_t at = 0, size = 0;
  while (true) {
    const auto progress =
        decoder->decode(std::span(file).subspan(at, size), at,
                        at + size == file.size(), out, result.notes);
    result.text.append(out.data(), progress.out_bytes);
    at += progress.in_bytes;
    size -= progress.in_bytes;
    if (progress.ended) break;
    if (progress.in_bytes + progress.out_bytes > 0) continue;
    EXPECT_LT(at + size, file.size());
    if (at + size >= file.size()) break;
    size += std::min(in_bytes, file.size() - at - size);
  }
  result.notes.file_bytes_read = at;
  return result;
}

void expect_clean(const DecodeNotes& notes) {
  EXPECT_FALSE(notes.trailing_offset);
  EXPECT_FALSE(notes.checksum_missing_offset);
  EXPECT_FALSE(notes.checksum_wrong_offset);
  EXPECT_FALSE(notes.truncated_offset);
  EXPECT_EQ(notes.corrupt_text, "");
}

TEST(Decode, PlainText) {
  for (size_t bytes : {0, 1, 2, 65536, 3'000'000}) {
    const std::string text = sample_text(bytes);
    const auto decoded = decode_file(text);
    EXPECT_EQ(decoded.text, text);
    EXPECT_EQ(decoded.notes.compression, Compression::none);
    EXPECT_EQ(decoded.notes.file_bytes_read, bytes);
    expect_clean(decoded.notes);
  }
}

TEST(Decode, ManyMembersAndPadding) {
  const std::string a = sample_text(300'000), b = sample_text(5);
  for (const bool is_gzip : {true, false}) {
    const auto pack = is_gzip ? gzip : zstd;
    std::string file = pack(a) + pack("") + pack(b);
    if (!is_gzip) file = skippable("skip") + file + skippable("");
    for (const size_t padding : {0, 1, 3, 512}) {
      const std::string padded = file + std::string(padding, '\0');
      for (const auto& decoded :
           {decode_file(padded), decode_file(padded, 1000),
            decode_bytewise(padded, 1, 1), decode_bytewise(padded, 7, 3)}) {
        EXPECT_EQ(decoded.text, a + b);
        EXPECT_EQ(decoded.notes.members, is_gzip ? 3 : 5);
        EXPECT_EQ(decoded.notes.file_bytes_read, padded.size());
        expect_clean(decoded.notes);
      }
    }
  }
}

TEST(Decode, TrailingBytes) {
  for (const auto pack : {gzip, zstd}) {
    const std::string file = pack("text");
    for (const std::string trailing :
         {"x", "garbage", "\x1f", "\x1f\x8b\x01 not deflate"}) {
      const auto decoded = decode_file(file + std::string(2, '\0') + trailing);
      EXPECT_EQ(decoded.text, "text");
      EXPECT_EQ(decoded.notes.members, 1);
      EXPECT_EQ(decoded.notes.trailing_offset, file.size() + 2) << trailing;
      EXPECT_FALSE(decoded.notes.truncated_offset);
    }
  }
}

TEST(Decode, Checksum) {
  const std::string text = sample_text(5000);
  const std::string good = gzip(text);
  for (size_t missing = 1; missing <= 8; ++missing) {
    const auto decoded = decode_file(good.substr(0, good.size() - missing));
    EXPECT_EQ(decoded.text, text);
    EXPECT_EQ(decoded.notes.checksum_missing_offset, good.size() - missing);
    EXPECT_FALSE(decoded.notes.truncated_offset);
  }
  for (size_t byte = 1; byte <= 8; ++byte) {
    std::string wrong = good;
    wrong[wrong.size() - byte] ^= 1;
    const auto decoded = decode_file(wrong + good);
    EXPECT_EQ(decoded.text, text + text);
    EXPECT_EQ(decoded.notes.checksum_wrong_offset, good.size() - 8);
  }
}

// What the zstd program writes: a checksum of four bytes behind each frame.
TEST(Decode, ZstdChecksum) {
  for (const size_t bytes : {size_t{10}, size_t{5000}, size_t{3'000'000}}) {
    const std::string text = sample_text(bytes);
    const std::string good = zstd_with_checksum(text);
    expect_clean(decode_file(good).notes);
    for (size_t byte = 1; byte <= 4; ++byte) {
      std::string wrong = good;
      wrong[wrong.size() - byte] ^= 1;
      for (const auto& decoded :
           {decode_file(wrong + good), decode_bytewise(wrong + good, 9, 999)}) {
        EXPECT_EQ(decoded.text, text + text);
        EXPECT_EQ(decoded.notes.checksum_wrong_offset, good.size() - 4);
        EXPECT_FALSE(decoded.notes.truncated_offset);
      }
      const auto cut = decode_file(good.substr(0, good.size() - byte));
      EXPECT_EQ(cut.text, text);
      EXPECT_EQ(cut.notes.truncated_offset, good.size() - byte);
    }
  }
}

TEST(Decode, TruncatedAnywhere) {
  const std::string text = sample_text(3000);
  for (const auto pack : {gzip, zstd}) {
    const std::string file = pack(text);
    for (size_t size = 4; size < file.size(); ++size) {
      const auto decoded = decode_file(file.substr(0, size));
      EXPECT_TRUE(text.starts_with(decoded.text));
      const bool is_gzip = decoded.notes.compression == Compression::gzip;
      if (is_gzip && size + 8 >= file.size()) continue;  // the trailer
      EXPECT_EQ(decoded.notes.truncated_offset, size);
      EXPECT_EQ(decoded.notes.corrupt_text, "");
      const auto bytewise = decode_bytewise(file.substr(0, size), 1, 100);
      EXPECT_EQ(bytewise.text, decoded.text) << size;
    }
  }
}

TEST(Decode, CorruptDataGivesWhatCameBefore) {
  const std::string text = sample_text(2'000'000);
  for (const auto pack : {gzip, zstd}) {
    std::string file = pack(text);
    const size_t at = file.size() / 2;
    for (size_t i = 0; i < 64; ++i) file[at + i] = static_cast<char>(0xff);
    const auto decoded = decode_file(file);
    const auto same = std::mismatch(decoded.text.begin(), decoded.text.end(),
                                    text.begin(), text.end());
    const auto good = static_cast<size_t>(same.first - decoded.text.begin());
    EXPECT_GT(good, text.size() * 2 / 5);
    // Damaged deflate data may still mean something: then the checksum tells.
    const auto& notes = decoded.notes;
    const auto offset = notes.truncated_offset ? notes.truncated_offset
                                               : notes.checksum_wrong_offset;
    ASSERT_TRUE(offset);
    EXPECT_GE(*offset + (128 << 10), at);  // zstd tells the block
  }
}

TEST(Decode, InvalidBlockBehindGoodOnes) {
  const std::string member("\x1f\x8b\x08\0\0\0\0\0\0\3", 10);
  const std::string stored(
      "\0\4\0\xfb\xff"
      "text",
      9);
  const std::string file = gzip("some ") + member + stored;
  const auto decoded = decode_file(file + "\x07" + std::string(100, 'x'));
  EXPECT_EQ(decoded.text, "some text");
  EXPECT_EQ(decoded.notes.members, 2);
  EXPECT_EQ(decoded.notes.corrupt_text, "invalid deflate block");
  ASSERT_TRUE(decoded.notes.truncated_offset);
  EXPECT_GE(*decoded.notes.truncated_offset, file.size());
  EXPECT_LE(*decoded.notes.truncated_offset, file.size() + 16);
}

TEST(Decode, DamagedAnywhereNeverHangs) {
  const std::string text = sample_text(800);
  for (const auto pack : {gzip, zstd}) {
    const std::string file = pack(text);
    for (size_t at = 4; at < file.size(); ++at) {
      std::string damaged = file;
      damaged[at] = static_cast<char>(~damaged[at]);
      const auto whole = decode_file(damaged);
      const auto bytewise = decode_bytewise(damaged, 3, 5);
      EXPECT_LE(whole.text.size(), 1'000'000u);
      EXPECT_EQ(whole.notes.corrupt_text.empty(),
                bytewise.notes.corrupt_text.empty())
          << at;
    }
  }
}

// A small file that is 64 MB of text takes no more memory than any other.
TEST(Decode, Bomb) {
  std::string file;
  const std::string member = gzip(std::string(1 << 20, '\0'));
  for (int i = 0; i < 64; ++i) file += member;
  auto decoded = DecodedFile::create(
      std::make_unique<TextSource>(file, SIZE_MAX), file.size());
  ASSERT_TRUE(decoded.has_value());
  std::vector<char> buffer(1 << 20);
  uint64_t bytes = 0;
  while (true) {
    const auto count = (*decoded)->read(buffer);
    ASSERT_TRUE(count.has_value());
    if (*count == 0) break;
    bytes += *count;
  }
  EXPECT_EQ(bytes, uint64_t{64} << 20);
  EXPECT_EQ((*decoded)->notes().members, 64);
}

TEST(Decode, FilesThatCannotBeRead) {
  const auto missing = open_decoded("/nonexistent/file.json");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::io);
  EXPECT_EQ(missing.error().file, "/nonexistent/file.json");
  EXPECT_NE(missing.error().text.find("No such file"), std::string::npos);
  const auto folder = open_decoded("/tmp");
  ASSERT_FALSE(folder.has_value());
  EXPECT_NE(folder.error().text.find("folder"), std::string::npos);
}

TEST(Decode, PipeAsStandardInput) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::string file = gzip("from a pipe");
  ASSERT_EQ(::write(ends[1], file.data(), file.size()),
            static_cast<ssize_t>(file.size()));
  ::close(ends[1]);
  const int saved = ::dup(STDIN_FILENO);
  ::dup2(ends[0], STDIN_FILENO);
  auto decoded = open_decoded("-");
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ::close(ends[0]);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(std::string((*decoded)->peek().begin(), (*decoded)->peek().end()),
            "from a pipe");
  EXPECT_FALSE((*decoded)->notes().file_bytes);
}

}  // namespace
}  // namespace gpuledger
