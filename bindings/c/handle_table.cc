// SPDX-License-Identifier: Apache-2.0
#include <millrace/bindings/c/handle_table.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/process/unload.h>

#include <string>

namespace millrace::c {
namespace {

// A handle has 4 bits of its kind, 28 of its index and 32 of its number of uses.
constexpr int kUsesBits = 32;
constexpr int kIndexBits = 28;
constexpr std::size_t kMostEntries = std::size_t{1} << kIndexBits;
constexpr std::uint32_t kMostUses = 0xffffffff;

const char* name_of(HandleKind kind) {
  switch (kind) {
    case HandleKind::kDevice: return "device";
    case HandleKind::kQueue: return "queue";
    case HandleKind::kBuffer: return "buffer";
    case HandleKind::kStream: return "stream";
    case HandleKind::kCapture: return "capture";
    case HandleKind::kFrame: return "frame";
    case HandleKind::kPicture: return "picture";
    case HandleKind::kGroup: return "group";
    case HandleKind::kPlacement: return "placement";
  }
  return "nothing";
}

[[noreturn]] void reject_handle(const HandleUse& use, const std::string& problem) {
  reject(std::string(use.argument) + " is " + problem + "; it must be a " + name_of(use.kind) +
         " that this library made and that was not freed");
}

}  // namespace

HandleTable& HandleTable::get() {
  static auto& table = []() -> HandleTable& {
    auto& made = *new HandleTable;
    at_unload(UnloadStep::kObjects, [&made] { made.free_all(); });
    return made;
  }();
  return table;
}

std::uint64_t HandleTable::add(HandleKind kind, Object object) {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) {
    if (entries_.size() == kMostEntries) {
      throw Error(ErrorCode::kOutOfMemory, "there are " + std::to_string(kMostEntries) +
                                               " handles in use, the maximum; free some");
    }
    free_.reserve(entries_.size() + 1);
    entries_.emplace_back();
    free_.push_back(entries_.size() - 1);
  }
  const std::size_t index = free_.back();
  free_.pop_back();
  Entry& entry = entries_[index];
  entry.kind = kind;
  entry.object = std::move(object);
  ++entry.uses;
  return (static_cast<std::uint64_t>(kind) << (kIndexBits + kUsesBits)) |
         (static_cast<std::uint64_t>(index) << kUsesBits) | entry.uses;
}

HandleTable::Object HandleTable::find(std::uint64_t handle, const HandleUse& use) const {
  const std::lock_guard lock(mutex_);
  return entries_[index_of(handle, use)].object;
}

HandleTable::Object HandleTable::take(std::uint64_t handle, const HandleUse& use) {
  const std::lock_guard lock(mutex_);
  const std::size_t index = index_of(handle, use);
  Object object = std::exchange(entries_[index].object, nullptr);
  // An entry whose uses would wrap is not used again, so that no handle is repeated.
  if (entries_[index].uses < kMostUses) free_.push_back(index);
  return object;
}

void HandleTable::free_all() {
  std::vector<Object> objects;  // Destroyed after the lock is released.
  const std::lock_guard lock(mutex_);
  for (Entry& entry : entries_) objects.push_back(std::exchange(entry.object, nullptr));
}

std::size_t HandleTable::index_of(std::uint64_t handle, const HandleUse& use) const {
  if (handle == 0) reject_handle(use, "null");
  const auto kind = static_cast<HandleKind>(handle >> (kIndexBits + kUsesBits));
  const std::size_t index = (handle >> kUsesBits) & (kMostEntries - 1);
  const auto uses = static_cast<std::uint32_t>(handle);
  // No address of a process has these bits.
  const bool is_kind = kind >= HandleKind::kDevice && kind <= HandleKind::kCapture;
  if (!is_kind || index >= entries_.size() || uses == 0 || uses > entries_[index].uses) {
    reject_handle(use, "no handle of Millrace");
  }
  const Entry& entry = entries_[index];
  if (uses < entry.uses || !entry.object) reject_handle(use, "a handle that was freed");
  if (kind != entry.kind) reject_handle(use, "no handle of Millrace");
  if (kind != use.kind) reject_handle(use, std::string("the handle of a ") + name_of(kind));
  return index;
}

}  // namespace millrace::c
