// Interned strings: each distinct text once, named by a dense 32-bit id.
// Ids are given in order of first appearance, so they are the same from run to
// run. Not safe for use by several threads at once.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace gpuledger {

using NameId = uint32_t;

class StringPool {
 public:
  NameId intern(std::string_view text) {
    if (auto it = ids_.find(text); it != ids_.end()) return it->second;
    const std::string& owned = texts_.emplace_back(text);
    bytes_ += sizeof(std::string) + owned.capacity() + kEntryBytes;
    const auto id = static_cast<NameId>(texts_.size() - 1);
    ids_.emplace(owned, id);
    return id;
  }

  std::string_view text(NameId id) const { return texts_[id]; }
  size_t size() const { return texts_.size(); }
  size_t bytes() const { return bytes_ + ids_.bucket_count() * sizeof(void*); }

 private:
  static constexpr size_t kEntryBytes = 48;  // a node of ids_

  std::deque<std::string> texts_;  // stable addresses: ids_ refers into it
  std::unordered_map<std::string_view, NameId> ids_;
  size_t bytes_ = 0;
};

}  // namespace gpuledger
