#include "model/import_stats.h"

namespace gpuledger {

const std::array<ImportRow, kImportCount> kImports = {{
    {Import::compressed_parts, "compressed-parts", Severity::info,
     "The file holds several compressed parts (gzip members, zstd frames); "
     "they were read as one text."},
    {Import::trailing_bytes, "trailing-bytes", Severity::notice,
     "Bytes after the compressed text were ignored."},
    {Import::checksum_missing, "checksum-missing", Severity::notice,
     "The compressed stream is not complete, but all events are there; copy "
     "the file again."},
    {Import::checksum_wrong, "checksum-wrong", Severity::data_loss,
     "The checksum does not match the data; copy the file again."},
    {Import::truncated, "truncated", Severity::data_loss,
     "The file ends early. Let the profiler finish before the job exits."},
    {Import::element_repaired, "event-repaired", Severity::notice,
     "Events that are not valid JSON were repaired (control bytes, quotes, "
     "commas, UTF-8)."},
    {Import::element_dropped, "event-dropped", Severity::data_loss,
     "Events that cannot be read were left out."},
    {Import::element_skipped, "event-too-long", Severity::data_loss,
     "Events longer than 64 MiB or a 32nd of --memory were left out."},
    {Import::not_a_number, "value-missing", Severity::info,
     "N/A, NaN and Infinity were read as missing values."},
    {Import::header_unreadable, "header-unreadable", Severity::notice,
     "The text around the events is not valid JSON, or too long; rank and "
     "device names may be missing."},
    {Import::time_unreadable, "time-unreadable", Severity::data_loss,
     "Events without a readable start or duration were left out."},
    {Import::time_overflow, "time-overflow", Severity::data_loss,
     "Events with times beyond 64-bit nanoseconds, or longer than 13 days, "
     "were left out."},
    {Import::duration_negative, "duration-negative", Severity::notice,
     "Negative durations were read as zero; GPU rows with them were left out."},
    {Import::duplicate_activity, "duplicate-activity", Severity::notice,
     "GPU rows that repeat another one exactly were left out."},
    {Import::activity_time_lost, "gpu-time-lost", Severity::data_loss,
     "GPU rows with zero or impossible times were left out."},
    {Import::correlation_ambiguous, "correlation-ambiguous", Severity::notice,
     "Several processes use one correlation id; launches were matched by "
     "time."},
    {Import::start_before_launch, "starts-before-launch", Severity::data_loss,
     "GPU rows start before the call that launched them: the clocks of host "
     "and GPU differ, and gaps may be blamed on the wrong host work."},
    {Import::integer_microseconds, "integer-microseconds", Severity::info,
     "Times are whole microseconds: short kernels show as zero, gaps of 1 us "
     "are rounding."},
    {Import::stream_unknown, "stream-unknown", Severity::info,
     "GPU rows without a stream were put on stream -1."},
    {Import::unknown_category, "event-ignored", Severity::info,
     "Events of a category that is not known were left out."},
    {Import::device_claimed_twice, "device-claimed-twice", Severity::notice,
     "Two inputs claim the same rank and device; the later one is named "
     "INPUT/RANK:DEVICE."},
}};

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::notice:
      return "notice";
    case Severity::data_loss:
      return "data_loss";
  }
  return "info";
}

void ImportStats::add(Import import, std::optional<uint64_t> offset,
                      int64_t count) {
  Counter& counter = counters[static_cast<size_t>(import)];
  counter.count += count;
  if (count > 0 && !counter.first_offset) counter.first_offset = offset;
}

void ImportStats::merge(const ImportStats& later) {
  for (size_t i = 0; i < counters.size(); ++i) {
    const Counter& other = later.counters[i];
    if (other.count > 0)
      add(static_cast<Import>(i), other.first_offset, other.count);
  }
}

}  // namespace gpuledger
