#include "read/json/elements.h"

#include <algorithm>
#include <cstring>

#include "read/json/element_shape.h"

namespace gpuledger {

void ElementWindow::reserve(size_t bytes) {
  if (bytes <= capacity_) return;
  std::unique_ptr<char[]> larger(new char[bytes + kPaddingBytes]);
  if (size_ > 0) std::memcpy(larger.get(), buffer_.get(), size_);
  buffer_ = std::move(larger);
  capacity_ = bytes;
}

void ElementWindow::drop_front(size_t bytes) {
  size_ -= bytes;
  offset += bytes;
  std::memmove(buffer_.get(), buffer_.get() + bytes, size_);
}

ElementReader::ElementReader(ByteSource& source, ElementLimits limits)
    : source_(source), limits_(limits), header_(limits.header_bytes) {}

Result<bool> ElementReader::next(ElementWindow& window) {
  window.elements.clear();
  window.size_ = 0;
  // A window that grew for one long element does not stay large.
  if (window.capacity_ > 2 * limits_.window_bytes) window = {};
  window.reserve(std::max(limits_.window_bytes, carry_.size()));
  window.offset = carry_offset_;
  window.size_ = carry_.size();
  std::copy(carry_.begin(), carry_.end(), window.buffer_.get());
  while (true) {
    RETURN_IF_ERROR(fill(window));
    scan(window);
    if (!window.elements.empty() || source_ended_) break;
    make_room(window);
    if (!window.elements.empty()) break;
  }
  if (source_ended_) header_.finish();
  finish(window);
  return !window.elements.empty();
}

Result<bool> ElementReader::fill(ElementWindow& window) {
  while (!source_ended_ && window.size_ < window.capacity_) {
    ASSIGN_OR_RETURN(const size_t count,
                     source_.read({window.buffer_.get() + window.size_,
                                   window.capacity_ - window.size_}));
    const bool first = text_bytes_ < 3;
    window.size_ += count;
    text_bytes_ += count;
    if (count == 0) source_ended_ = true;
    if (first) skip_byte_order_mark(window);
  }
  return true;
}

void ElementReader::skip_byte_order_mark(const ElementWindow& window) {
  if (window.text().starts_with("\xef\xbb\xbf")) scanned_ = 3;
}

void ElementReader::scan(ElementWindow& window) {
  while (true) {
    if (in_array_) {
      scanned_ =
          cutter_.cut(window.text(), scanned_, source_ended_, window.elements);
      if (!cutter_.array_ended()) return;
      in_array_ = false;
      header_.array_ended();
    } else {
      scanned_ = header_.scan(window.text(), scanned_, source_ended_);
      if (!header_.at_array()) return;
      in_array_ = true;
      cutter_.start(scanned_);
    }
  }
}

// The window is full and holds no whole element.
void ElementReader::make_room(ElementWindow& window) {
  if (in_array_ && !cutter_.inside_element() && !cutter_.inside_string())
    cutter_.split_between(window.text(), scanned_, window.elements);
  if (in_array_ && window.size_ - cutter_.begin() >= limits_.element_bytes) {
    if (!cutter_.skipping()) {
      ++skipped_;
      if (!first_skipped_offset_)
        first_skipped_offset_ = window.offset + cutter_.begin();
    }
    cutter_.skip_to(scanned_);
  }
  const size_t done = pending();
  if (window.elements.empty() && done > 0) {
    window.drop_front(done);
    scanned_ -= done;
    if (in_array_) cutter_.rebase(done);
  }
  if (window.size_ == window.capacity_) window.reserve(2 * window.capacity_);
}

// Leaves to the next window what is not done with.
void ElementReader::finish(ElementWindow& window) {
  const size_t done = source_ended_ ? window.size_ : pending();
  carry_.assign(window.buffer_.get() + done,
                window.buffer_.get() + window.size_);
  carry_offset_ = window.offset + done;
  scanned_ -= std::min(done, scanned_);
  if (in_array_) cutter_.rebase(std::min(done, cutter_.begin()));
  window.size_ = done;
  std::memset(window.buffer_.get() + done, ' ', ElementWindow::kPaddingBytes);
}

}  // namespace gpuledger
