#include <algorithm>
#include <array>
#include <map>

#include "analyze/steps.h"
#include "analyze/thresholds.h"

namespace gpuledger {
namespace {

// Compute kernels, in order of start, on the stream that has most of them.
std::vector<uint32_t> busiest_stream_kernels(const Timeline& timeline,
                                             const ActivityLabels& labels,
                                             RowRange rows) {
  std::map<uint32_t, int64_t> kernels;
  for (uint32_t row = rows.begin; row < rows.end; ++row)
    if (labels.family[row] == KernelFamily::compute)
      ++kernels[timeline.device.stream[row]];
  uint32_t busiest = kNoRow;
  for (const auto& [stream, count] : kernels)
    if (busiest == kNoRow || count > kernels[busiest]) busiest = stream;
  std::vector<uint32_t> found;
  for (uint32_t row = rows.begin; row < rows.end; ++row)
    if (labels.family[row] == KernelFamily::compute &&
        timeline.device.stream[row] == busiest)
      found.push_back(row);
  return found;
}

// Does the sequence agree with itself shifted by `lag`?
// `work` counts the comparisons made.
bool agrees(const std::vector<NameId>& names, size_t lag, size_t& work) {
  const size_t pairs = names.size() - lag;
  const auto allowed = static_cast<size_t>((1 - kPeriodAgreementMin_ratio) *
                                           static_cast<double>(pairs));
  // A sample spread over the sequence turns most wrong lags away.
  constexpr size_t kSample = 64;
  if (pairs > 4 * kSample) {
    size_t wrong = 0;
    for (size_t i = 0; i < kSample; ++i) {
      const size_t at = i * (pairs - 1) / (kSample - 1);
      wrong += names[at] != names[at + lag];
    }
    if (wrong > kSample / 4) return false;
  }
  size_t wrong = 0, i = 0;
  for (; i < pairs && wrong <= allowed; ++i)
    wrong += names[i] != names[i + lag];
  work += i;
  return wrong <= allowed;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Finds `word` as a word: "lamb" is in "lamb_stage_1", not in "lambda".
bool has_word(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const size_t after = at + word.size();
    const bool begins = at == 0 || !is_letter(text[at - 1]);
    const bool ends = after == text.size() || !is_letter(text[after]);
    if (begins && ends) return true;
  }
  return false;
}

bool names_step_end(std::string_view kernel) {
  static constexpr std::array kParts = {
      "nll_loss",     "cross_entropy", "CrossEntropy",  "mse_loss",
      "l1_loss",      "bce_loss",      "LossForward",   "LossBackward",
      "ctc_loss",     "kl_div",        "FusedAdam",     "fused_adam",
      "binary_cross", "smooth_l1",     "FusedOptimizer"};
  static constexpr std::array kWords = {"lamb",  "LAMB",  "adam", "Adam",
                                        "adamw", "AdamW", "sgd",  "SGD"};
  // Lists of tensors are also copied and cast by multi_tensor_apply.
  if (kernel.find("multi_tensor_apply") != std::string_view::npos)
    return kernel.find("CopyFunctor") == std::string_view::npos &&
           kernel.find("UnaryOpFunctor") == std::string_view::npos;
  const auto holds = [&](std::string_view part) {
    return kernel.find(part) != std::string_view::npos;
  };
  const auto words = [&](std::string_view word) {
    return has_word(kernel, word);
  };
  return std::any_of(kParts.begin(), kParts.end(), holds) ||
         std::any_of(kWords.begin(), kWords.end(), words);
}

}  // namespace

std::optional<KernelPeriod> find_period(const Timeline& timeline,
                                        const ActivityLabels& labels,
                                        RowRange device_rows) {
  const std::vector<uint32_t> rows =
      busiest_stream_kernels(timeline, labels, device_rows);
  std::vector<NameId> names;
  for (uint32_t row : rows) names.push_back(timeline.device.name[row]);
  const size_t longest = names.size() / kPeriodsMin;
  size_t lag = 1;
  // Where nearly all kernels have one name, no lag is turned away early.
  const size_t most_work = 100 * names.size() + 10'000'000;
  size_t work = 0;
  while (lag <= longest && work <= most_work && !agrees(names, lag, work))
    ++lag;
  if (work > most_work) return std::nullopt;
  // One kernel over and over is no cycle worth naming.
  if (lag > longest || lag == 1) return std::nullopt;

  KernelPeriod period;
  period.kernels = static_cast<int64_t>(lag);
  const size_t units = rows.size() / lag;
  for (size_t unit = 0; unit < units; ++unit)
    period.firsts.push_back(rows[unit * lag]);
  period.last = rows[units * lag - 1];
  for (size_t i = 0; i < lag && !period.is_step; ++i)
    period.is_step = names_step_end(timeline.names.text(names[i]));
  return period;
}

}  // namespace gpuledger
