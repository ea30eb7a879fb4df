#include "read/reader.h"

#include "read/kineto/kineto.h"
#include "read/other_kinds.h"

namespace gpuledger {

const std::array<Reader, kReaderCount> kReaders = {{
    {"pytorch-trace", "PyTorch profiler (Kineto) trace, JSON", sniff_kineto,
     read_kineto},
}};

namespace {

FileHead head_of(const DecodedFile& source) {
  return {
      {source.raw_peek().data(), source.raw_peek().size()},
      {source.peek().data(), source.peek().size()},
      source.notes().truncated_offset && source.notes().corrupt_text.empty()};
}

void take_decode_notes(const DecodeNotes& notes, ReadInput& input) {
  ImportStats& imports = input.timeline.imports;
  if (notes.members > 1)
    imports.add(Import::compressed_parts, {}, notes.members);
  const auto add = [&](Import import, std::optional<uint64_t> offset) {
    if (offset) imports.add(import, offset);
  };
  add(Import::trailing_bytes, notes.trailing_offset);
  const bool truncated = input.timeline.truncated;
  // Cut behind the last event: nothing is lost but the means to check it.
  add(Import::checksum_missing, !truncated && notes.truncated_offset
                                    ? notes.truncated_offset
                                    : notes.checksum_missing_offset);
  add(Import::checksum_wrong, notes.checksum_wrong_offset);
  if (truncated) imports.add(Import::truncated, notes.truncated_offset);
  input.report.compression = compression_name(notes.compression);
  const uint64_t bytes = notes.file_bytes.value_or(notes.file_bytes_read);
  input.report.bytes = static_cast<int64_t>(bytes);
  if (truncated && notes.truncated_offset && bytes > 0)
    input.timeline.read_ratio = static_cast<double>(*notes.truncated_offset) /
                                static_cast<double>(bytes);
  input.report.truncated = truncated;
  input.report.read_ratio = input.timeline.read_ratio;
}

}  // namespace

Result<ReadInput> read_source(DecodedFile& source, const ReadRequest& request) {
  const FileHead head = head_of(source);
  for (const Reader& reader : kReaders) {
    if (!reader.sniff(head)) continue;
    ReadInput input;
    ASSIGN_OR_RETURN(input.timeline, reader.read(source, request));
    input.report.path = request.path;
    input.report.kind = reader.id;
    take_decode_notes(source.notes(), input);
    input.report.events = input.timeline.events;
    return input;
  }
  return fail(refuse_other_kind(head));
}

Result<ReadInput> read_input(const ReadRequest& request) {
  auto source = open_decoded(request.path);
  auto input = source ? read_source(**source, request)
                      : Result<ReadInput>(fail(std::move(source.error())));
  if (!input) {
    Error error = std::move(input.error());
    if (error.file.empty()) error.file = request.path;
    return fail(std::move(error));
  }
  return input;
}

}  // namespace gpuledger
