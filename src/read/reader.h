// The table of input formats. Each reader tells by content whether a file is
// its own and turns it into a timeline.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/decode.h"
#include "base/result.h"
#include "model/analyze_options.h"
#include "model/report.h"
#include "model/timeline.h"

namespace gpuledger {

// The first bytes of a file: as they are on disk, and decoded.
struct FileHead {
  std::string_view raw;
  std::string_view text;
  bool cut = false;  // the compressed stream breaks off within the head
};

struct ReadRequest {
  std::string path;
  uint64_t memory_bytes = 0;
  unsigned threads = 1;
  // Keep rows that touch [from, to), nanoseconds after the earliest row.
  std::optional<int64_t> from_ns, to_ns;
};

struct Reader {
  std::string_view id;    // pytorch-trace
  std::string_view what;  // for people
  bool (*sniff)(const FileHead& head);
  // Reads `source` to its end. `again` opens the same input once more, where
  // that is possible.
  Result<Timeline> (*read)(DecodedFile& source, const ReadRequest& request);
};

inline constexpr size_t kReaderCount = 1;
extern const std::array<Reader, kReaderCount> kReaders;

struct ReadInput {
  Timeline timeline;
  InputReport report;
};

// Opens, recognises and reads one file ("-": standard input).
Result<ReadInput> read_input(const ReadRequest& request);

// Reads what is already open; for inputs that are no files.
Result<ReadInput> read_source(DecodedFile& source, const ReadRequest& request);

}  // namespace gpuledger
