// SPDX-License-Identifier: Apache-2.0

// Handles, which C programs hold instead of objects. A handle is a number with the type of a
// pointer. It consists of its kind, the index of the object in a table and the number of times that
// this entry was used, so that a freed handle is recognised even if the entry has a new object. It
// is never dereferenced.
#ifndef MILLRACE_BINDINGS_C_HANDLE_TABLE_H_
#define MILLRACE_BINDINGS_C_HANDLE_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace millrace::c {

enum class HandleKind : std::uint8_t {
  kDevice = 1,
  kQueue,
  kBuffer,
  kStream,
  kFrame,
  kPicture,
  kGroup,
  kPlacement,
  kCapture
};

// The expected kind of a handle, and the argument that messages name.
struct HandleUse {
  HandleKind kind;
  const char* argument;  // Name of the argument.
};

// All members may be called from any thread.
class HandleTable {
 public:
  using Object = std::shared_ptr<void>;

  // Returns the one table of the process. It is never destroyed, because static objects may free
  // handles.
  static HandleTable& get();

  // Returns a new handle, which is not 0. Throws kOutOfMemory.
  std::uint64_t add(HandleKind kind, Object object);

  // Return the object of a handle; take() also frees the handle. The object is destroyed with its
  // last user. Throw kInvalidArgument, with the reason, unless it is a handle of that kind in use.
  Object find(std::uint64_t handle, const HandleUse& use) const;
  Object take(std::uint64_t handle, const HandleUse& use);

 private:
  struct Entry {
    HandleKind kind = HandleKind::kDevice;
    std::uint32_t uses = 0;  // Number of handles that this entry has had.
    Object object;           // Null while the entry is free.
  };

  // Frees all handles when the library is unloaded.
  void free_all();

  // Returns the index of a handle in use. Requires the lock.
  std::size_t index_of(std::uint64_t handle, const HandleUse& use) const;

  mutable std::mutex mutex_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> free_;  // Has the capacity for all entries.
};

static_assert(sizeof(void*) == sizeof(std::uint64_t));

// Returns the object, of type T, of a handle of an opaque type of millrace.h.
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
  return reinterpret_cast<Handle*>(handle);  // NOLINT: it is not an address.
}

}  // namespace millrace::c

#endif  // MILLRACE_BINDINGS_C_HANDLE_TABLE_H_
