#include "read/json/cutter.h"

#include <algorithm>
#include <array>
#include <bit>

#include "read/json/element_shape.h"

namespace gpuledger {

namespace {

constexpr size_t kRunBlocks = 16;

// The masks of the next blocks of `text` that leave `ahead` bytes to look at,
// at least one; the text's last block may be part of one.
size_t find_run_masks(std::string_view text, size_t ahead,
                      std::array<BlockMasks, kRunBlocks>& masks) {
  const size_t whole = text.size() / kBlockBytes;
  if (whole == 0) {
    std::array<char, kBlockBytes> last{};
    text.copy(last.data(), kBlockBytes);
    find_masks(last.data(), {masks.data(), 1});
    return 1;
  }
  const size_t blocks =
      std::min({whole, (text.size() - ahead) / kBlockBytes + 1, kRunBlocks});
  find_masks(text.data(), {masks.data(), blocks});
  return blocks;
}

}  // namespace

// One call of cut().
struct Cutter::Scan {
  std::string_view text;
  bool at_end;
  std::vector<Element>& out;
  size_t block = 0;   // where the block begins
  size_t resume = 0;  // where to go on if the block was left
};

void Cutter::start(size_t begin) {
  *this = {};
  begin_ = begin;
}

// Most brackets are lists inside an element and closings that match: they are
// done here without a branch on what they are. False: this one is not.
inline bool Cutter::step_inside(char c) {
  const bool closes = (c & 4) != 0;  // [ { or ] }
  const uint64_t object = c >> 5 & 1;
  const bool matches = ((objects_ ^ object) & 1) == 0;
  const bool plain =
      typed_ & ((!closes & (object == 0) & (depth_ > 0) & (depth_ < 64)) |
                (closes & matches & (depth_ > 1)));
  if (!plain) return false;
  objects_ = closes ? objects_ >> 1 : objects_ << 1;
  depth_ = depth_ + 1 - 2 * static_cast<size_t>(closes);
  return true;
}

size_t Cutter::cut(std::string_view text, size_t from, bool at_end,
                   std::vector<Element>& out) {
  Scan scan{text, at_end, out};
  const size_t ahead = at_end ? 1 : kBlockBytes + kLookAheadBytes;
  std::array<BlockMasks, kRunBlocks> masks;
  size_t at = from;
  while (!array_ended_ && at + ahead <= text.size()) {
    const size_t blocks = find_run_masks(text.substr(at), ahead, masks);
    scan.resume = at + blocks * kBlockBytes;
    for (size_t i = 0; i < blocks; ++i, at += kBlockBytes) {
      scan.block = at;
      if (!cut_block(scan, masks[i])) break;
    }
    at = scan.resume;
  }
  return std::min(at, text.size());
}

// False: the block was left, to go on at scan.resume.
inline bool Cutter::cut_block(Scan& scan, const BlockMasks& masks) {
  const uint64_t in_string = strings_.advance(masks);
  uint64_t bits = masks.brackets & ~in_string;
  uint64_t hidden = masks.brackets & in_string;
  if (hidden != 0) {
    hidden = hidden_starts(scan, hidden);
    bits |= hidden;
  }
  for (; bits != 0; bits &= bits - 1) {
    const size_t at = scan.block + static_cast<size_t>(std::countr_zero(bits));
    if (hidden == 0 && step_inside(scan.text[at])) continue;
    if (hidden >> (at - scan.block) & 1) {
      restart(scan, at);
      return false;
    }
    if (!handle(scan, at)) return false;
  }
  return true;
}

// Of the brackets inside strings those that show that this is no string.
uint64_t Cutter::hidden_starts(const Scan& scan, uint64_t hidden) const {
  uint64_t starts = 0;
  for (uint64_t bits = hidden; bits != 0; bits &= bits - 1) {
    const auto bit = static_cast<size_t>(std::countr_zero(bits));
    const size_t at = scan.block + bit;
    const std::string_view text = scan.text;
    bool start = false;
    if (text[at] == '{') {
      const char next = at + 1 < text.size() ? text[at + 1] : '\0';
      if (next != '"' && !is_space(next)) continue;
      if (element_key(text, at).empty()) continue;
      size_t before = at;
      while (before > begin_ && is_space(text[before - 1])) --before;
      start = line_indent(text, at, begin_).has_value() ||
              (before > begin_ && text[before - 1] == ',');
    } else if (text[at] == ']') {
      start = closes_array(scan, at);
    }
    if (start) starts |= uint64_t{1} << bit;
  }
  return starts;
}

// A line that begins with ] no deeper than the elements do.
bool Cutter::closes_array(const Scan& scan, size_t at) const {
  if (at == begin_ || !is_space(scan.text[at - 1])) return false;
  const auto indent = line_indent(scan.text, at, begin_);
  return indent && *indent <= indent_ &&
         array_may_end(scan.text, at, scan.at_end);
}

// Ends what is broken before text[at] and begins anew there.
void Cutter::restart(Scan& scan, size_t at) {
  deliver(scan.text, at, true, scan.out);
  const auto indent = line_indent(scan.text, at, begin_);
  if (indent) indent_ = *indent;
  begin_ = at;
  strings_ = {};
  depth_ = 0;
  broken_ = false;
  skipping_ = false;
  scan.resume = at;
  if (scan.text[at] != ']') return;
  array_ended_ = true;
  begin_ = scan.resume = at + 1;
}

// False: the block was left, to go on at scan.resume.
bool Cutter::handle(Scan& scan, size_t at) {
  const char c = scan.text[at];
  if (c == '{' || c == '[') return open(scan, at);
  if (depth_ > 0) return close(scan, at);
  if (c == '}') return true;  // stays between the elements, to be told there
  split_between(scan.text, at, scan.out);
  if (begin_ < at) deliver(scan.text, at, false, scan.out);
  array_ended_ = true;
  begin_ = scan.resume = at + 1;
  return false;
}

bool Cutter::open(Scan& scan, size_t at) {
  const uint64_t object = scan.text[at] == '{' ? 1 : 0;
  if (depth_ == 0) {
    split_between(scan.text, at, scan.out);
    if (begin_ < at) deliver(scan.text, at, false, scan.out);
    skipping_ = false;
    objects_ = 0;
    typed_ = true;
    broken_ = false;
  } else if (object != 0 && starts_afresh(scan, at)) {
    restart(scan, at);
    return false;
  }
  if (depth_ == 64) typed_ = false;
  objects_ = objects_ << 1 | object;
  ++depth_;
  return true;
}

// Whether the { inside an element begins another one.
bool Cutter::starts_afresh(const Scan& scan, size_t at) {
  const std::string_view text = scan.text;
  size_t before = at - 1;
  while (before > begin_ && is_space(text[before])) --before;
  const char previous = text[before];
  const bool in_object = (objects_ & 1) != 0;
  const bool fits = !typed_ || (in_object ? previous == ':'
                                          : previous == ',' || previous == '[');
  if (!fits) broken_ = true;
  if (fits && before + 1 == at) return false;
  const auto indent = line_indent(text, at, begin_);
  if (fits && !indent) return false;
  if (element_key(text, at).empty()) return false;
  if (!fits || *indent < indent_) return true;
  // At the first column nested objects may stand too, if all lines begin there;
  // then an object's key stands on the next line.
  return *indent == indent_ && (indent_ > 0 || !is_space(text[at + 1]));
}

bool Cutter::close(Scan& scan, size_t at) {
  const bool object = scan.text[at] == '}';
  if (!object && typed_ && (objects_ & 1) != 0 && closes_array(scan, at)) {
    restart(scan, at);
    return false;
  }
  if (!typed_) {
    pop(scan, at, 1);
    return true;
  }
  const uint64_t same = object ? objects_ : ~objects_;
  if ((same & 1) != 0) {
    pop(scan, at, 1);
    return true;
  }
  // It closes what it can close, and with it what was left open inside; if
  // nothing, it does not belong here.
  broken_ = true;
  const auto inner = static_cast<size_t>(std::countr_zero(same));
  if (inner < depth_) pop(scan, at, static_cast<uint32_t>(inner + 1));
  return true;
}

void Cutter::pop(Scan& scan, size_t at, uint32_t levels) {
  depth_ -= levels;
  objects_ = levels < 64 ? objects_ >> levels : 0;
  if (depth_ == 0) deliver(scan.text, at + 1, broken_, scan.out);
}

void Cutter::deliver(std::string_view text, size_t end, bool suspect,
                     std::vector<Element>& out) {
  const auto element = trim_separators(text.substr(begin_, end - begin_));
  if (!skipping_ && !element.empty())
    out.push_back({static_cast<uint32_t>(element.data() - text.data()),
                   static_cast<uint32_t>(element.size()), suspect});
  skipping_ = false;
  begin_ = end;
}

void Cutter::skip_to(size_t begin) {
  skipping_ = true;
  begin_ = begin;
}

void Cutter::split_between(std::string_view text, size_t end,
                           std::vector<Element>& out) {
  const auto indent = line_indent(text, end, begin_);
  if (indent) indent_ = *indent;
  if (trim_separators(text.substr(begin_, end - begin_)).empty()) {
    begin_ = end;
    return;
  }
  bool in_string = false;
  for (size_t i = begin_; i < end; ++i) {
    if (text[i] == '"') in_string = !in_string;
    if (in_string && text[i] == '\\') ++i;
    if (!in_string && text[i] == ',') deliver(text, i + 1, false, out);
  }
}

}  // namespace gpuledger
