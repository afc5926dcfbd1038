// SPDX-License-Identifier: Apache-2.0
#include <millrace/bindings/c/handle_table.h>

#include <string>

#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/unload.h>

namespace millrace::c {
namespace {

// kind: 4 bits; place: 28 bits; uses: 32 bits.
constexpr int kUsesBits = 32;
constexpr int kPlaceBits = 28;
constexpr std::size_t kMostPlaces = std::size_t{1} << kPlaceBits;
constexpr std::uint32_t kMostUses = 0xffffffff;

const char* name_of(HandleKind kind) {
  switch (kind) {
    case HandleKind::kDevice: return "device";
    case HandleKind::kQueue: return "queue";
    case HandleKind::kBuffer: return "buffer";
  }
  return "nothing";
}

[[noreturn]] void refuse(const HandleUse& use, const std::string& what) {
  throw Error(ErrorCode::kInvalidArgument, std::string(use.argument) + " is " + what +
                                               "; it is a " + name_of(use.kind) +
                                               " that was made by this library and not freed");
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
    if (places_.size() == kMostPlaces) {
      throw Error(ErrorCode::kOutOfMemory, "there are " + std::to_string(kMostPlaces) +
                                               " handles in use, the most possible");
    }
    free_.reserve(places_.size() + 1);
    places_.emplace_back();
    free_.push_back(places_.size() - 1);
  }
  const std::size_t place = free_.back();
  free_.pop_back();
  Place& entry = places_[place];
  entry.kind = kind;
  entry.object = std::move(object);
  ++entry.uses;
  return (static_cast<std::uint64_t>(kind) << (kPlaceBits + kUsesBits)) |
         (static_cast<std::uint64_t>(place) << kUsesBits) | entry.uses;
}

HandleTable::Object HandleTable::find(std::uint64_t handle, const HandleUse& use) const {
  const std::lock_guard lock(mutex_);
  return places_[place_of(handle, use)].object;
}

HandleTable::Object HandleTable::take(std::uint64_t handle, const HandleUse& use) {
  const std::lock_guard lock(mutex_);
  const std::size_t place = place_of(handle, use);
  Object object = std::exchange(places_[place].object, nullptr);
  if (places_[place].uses < kMostUses) free_.push_back(place);  // Or a number would come again.
  return object;
}

void HandleTable::free_all() {
  std::vector<Object> objects;  // They go without the lock.
  const std::lock_guard lock(mutex_);
  for (Place& place : places_) objects.push_back(std::exchange(place.object, nullptr));
}

std::size_t HandleTable::place_of(std::uint64_t handle, const HandleUse& use) const {
  if (handle == 0) refuse(use, "null");
  const auto kind = static_cast<HandleKind>(handle >> (kPlaceBits + kUsesBits));
  const std::size_t place = (handle >> kUsesBits) & (kMostPlaces - 1);
  const auto uses = static_cast<std::uint32_t>(handle);
  const bool is_kind =
      kind >= HandleKind::kDevice && kind <= HandleKind::kBuffer;  // No address has.
  if (!is_kind || place >= places_.size() || uses == 0 || uses > places_[place].uses) {
    refuse(use, "no handle of Millrace");
  }
  const Place& entry = places_[place];
  if (uses < entry.uses || !entry.object) refuse(use, "a handle that was freed");
  if (kind != entry.kind) refuse(use, "no handle of Millrace");
  if (kind != use.kind) refuse(use, std::string("the handle of a ") + name_of(kind));
  return place;
}

}  // namespace millrace::c
