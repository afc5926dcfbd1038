// SPDX-License-Identifier: Apache-2.0

// Handles that C programs hold in place of objects. A handle is a number that looks like a pointer:
// its kind, the place of the object in a table, and how often that place was used before, so that
// one that was freed is known as such whatever came to its place. It is never dereferenced.
#ifndef MILLRACE_BINDINGS_C_HANDLE_TABLE_H_
#define MILLRACE_BINDINGS_C_HANDLE_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace millrace::c {

enum class HandleKind : std::uint8_t { kDevice = 1, kQueue, kBuffer };

// What is asked of a handle, and for messages about it.
struct HandleUse {
  HandleKind kind;
  const char* argument;  // Its name.
};

// All members may be called from any thread.
class HandleTable {
 public:
  using Object = std::shared_ptr<void>;

  // The process's. Never destroyed: static objects may still free handles.
  static HandleTable& get();

  // Never null. Throws kOutOfMemory.
  std::uint64_t add(HandleKind kind, Object object);

  // Throw kInvalidArgument, with what is wrong, for what is no handle of that kind in use. The
  // object that is taken goes when its last user does.
  Object find(std::uint64_t handle, const HandleUse& use) const;
  Object take(std::uint64_t handle, const HandleUse& use);

 private:
  struct Place {
    HandleKind kind = HandleKind::kDevice;
    std::uint32_t uses = 0;
    Object object;  // Null while the place is free.
  };

  // When the library is unloaded.
  void free_all();

  // The place of a handle in use, with the lock held.
  std::size_t place_of(std::uint64_t handle, const HandleUse& use) const;

  mutable std::mutex mutex_;
  std::vector<Place> places_;
  std::vector<std::size_t> free_;  // Has room for all places.
};

static_assert(sizeof(void*) == sizeof(std::uint64_t));

// Of an opaque type of millrace.h, for an object of type T.
template <class T, class Handle>
std::shared_ptr<T> find_handle(const Handle* handle, const HandleUse& use) {
  return std::static_pointer_cast<T>(
      HandleTable::get().find(reinterpret_cast<std::uint64_t>(handle), use));
}

template <class Handle>
void free_handle(const Handle* handle, const HandleUse& use) {
  HandleTable::get().take(reinterpret_cast<std::uint64_t>(handle), use);
}

template <class Handle>
Handle* make_handle(HandleKind kind, HandleTable::Object object) {
  const std::uint64_t handle = HandleTable::get().add(kind, std::move(object));
  return reinterpret_cast<Handle*>(handle);  // NOLINT: it is no address.
}

}  // namespace millrace::c

#endif  // MILLRACE_BINDINGS_C_HANDLE_TABLE_H_
