#include "model/copy_name.h"

#include <cctype>
#include <string>

namespace gpuledger {
namespace {

struct CopyRow {
  std::string_view text;
  CopyKind kind;
};

constexpr CopyRow kCopyRows[] = {
    {"htod", CopyKind::h2d},           {"htoa", CopyKind::h2d},
    {"hosttodevice", CopyKind::h2d},   {"dtoh", CopyKind::d2h},
    {"atoh", CopyKind::d2h},           {"devicetohost", CopyKind::d2h},
    {"dtod", CopyKind::d2d},           {"dtoa", CopyKind::d2d},
    {"atod", CopyKind::d2d},           {"atoa", CopyKind::d2d},
    {"devicetodevice", CopyKind::d2d}, {"ptop", CopyKind::p2p},
    {"peertopeer", CopyKind::p2p},
};

}  // namespace

CopyName parse_copy_name(std::string_view name) {
  std::string lower;
  for (char c : name)  // "Host-to-Device", "HOST_TO_DEVICE" -> "hosttodevice"
    if (c != '_' && c != '-' && c != ' ')
      lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  CopyName copy;
  for (const CopyRow& row : kCopyRows) {
    if (lower.find(row.text) == std::string::npos) continue;
    copy.kind = row.kind;
    break;
  }
  if (copy.kind != CopyKind::h2d && copy.kind != CopyKind::d2h) return copy;
  copy.memory = HostMemory::unknown;
  if (lower.find("pageable") != std::string::npos)
    copy.memory = HostMemory::pageable;
  else if (lower.find("pinned") != std::string::npos)
    copy.memory = HostMemory::pinned;
  return copy;
}

Account copy_account(CopyName copy) {
  switch (copy.kind) {
    case CopyKind::h2d:
      if (copy.memory == HostMemory::pageable)
        return Account::copy_h2d_pageable;
      if (copy.memory == HostMemory::pinned) return Account::copy_h2d_pinned;
      return Account::copy_h2d_unknown;
    case CopyKind::d2h:
      return Account::copy_d2h;
    case CopyKind::d2d:
      return Account::copy_d2d;
    case CopyKind::p2p:
      return Account::copy_p2p;
    case CopyKind::none:
    case CopyKind::other:
      break;
  }
  return Account::copy_other;
}

}  // namespace gpuledger
