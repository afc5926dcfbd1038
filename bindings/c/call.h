// SPDX-License-Identifier: Apache-2.0

// Helpers of the functions of millrace.h. No exception leaves these functions.
//
//   millrace_status millrace_queue_wait(millrace_queue* queue) {
//     return call([&] { find_queue(queue)->wait(); });
//   }
#ifndef MILLRACE_BINDINGS_C_CALL_H_
#define MILLRACE_BINDINGS_C_CALL_H_

#include <millrace/bindings/c/handle_table.h>
#include <millrace/c/millrace.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/memory_space.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/tasks/policy.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace millrace::c {

// Must be called in an exception handler. Returns the status of the current exception and stores
// its message for this thread.
millrace_status note_error() noexcept;

// Thrown if the library is older than the caller's headers, or of another major version.
class VersionMismatch : public Error {
 public:
  explicit VersionMismatch(const std::string& message) : Error(ErrorCode::kUnsupported, message) {}
};

// Calls `work` and returns the status of its outcome.
template <class Work>
millrace_status call(const Work& work) noexcept {
  try {
    work();
    return MILLRACE_OK;
  } catch (...) {
    return note_error();
  }
}

// Throws kInvalidArgument with the argument's name if the pointer is null.
template <class Pointer>
void check_not_null(Pointer pointer, const char* argument) {
  if (pointer != nullptr) return;
  reject(std::string(argument) + " is null; pass the address of its memory");
}

// Returns a copy of the caller's struct of millrace.h, with zeros for members that the caller's
// headers do not have. `last` is the last member of the struct's first version. Throws
// kInvalidArgument for a null pointer and for a size that no version has.
template <class Struct, class Member>
Struct read_struct(const Struct* given, const char* argument, Member Struct::*last) {
  check_not_null(given, argument);
  Struct whole{};
  const std::size_t least_size = static_cast<std::size_t>(
      reinterpret_cast<const char*>(&(whole.*last) + 1) - reinterpret_cast<const char*>(&whole));
  std::size_t size = 0;
  std::memcpy(&size, given, sizeof(size));
  if (size < least_size || size > 4096) {
    reject(std::string(argument) + "->size is " + std::to_string(size) + "; it must be sizeof *" +
           argument);
  }
  std::memcpy(&whole, given, std::min(size, sizeof(Struct)));
  return whole;
}

// Copies the text to a member of a struct of millrace.h; a longer one is cut.
template <std::size_t size>
void put_text(char (&target)[size], std::string_view text) {
  const std::size_t length = std::min(text.size(), size - 1);
  text.copy(target, length);
  target[length] = '\0';
}

// Writes the members that the caller's struct has.
template <class Struct>
void write_struct(Struct* target, const Struct& whole) {
  std::memcpy(target, &whole, std::min(whole.size, sizeof(whole)));
}

// Convert enumerators. Throw kInvalidArgument for other values.
MemorySpace space_of(millrace_space space);
Policy policy_of(millrace_policy policy);

millrace_space millrace_space_of(MemorySpace space);

// The object of a millrace_buffer.
struct BufferObject {
  std::shared_ptr<Device> device;
  MemorySpace space;
  std::size_t bytes;
  std::shared_ptr<void> memory;
};

// Throws VersionMismatch unless this library serves programs of headers of that MILLRACE_VERSION.
void check_version(int header);

// Writes the members that the caller's struct has.
void put_info(millrace_device_info* target, const DeviceInfo& info);

// The object of a millrace_group.
struct GroupObject {
  DeviceGroup group;
  std::mutex mutex;  // Held by the one call that may use the group.
};

// Keeps other calls from the group of a handle. Throws kInvalidArgument for other handles.
class GroupUse {
 public:
  explicit GroupUse(const millrace_group* group)
      : object_(find_handle<GroupObject>(group, {HandleKind::kGroup, "group"})),
        lock_(object_->mutex) {}

  const DeviceGroup& group() const { return object_->group; }

 private:
  const std::shared_ptr<GroupObject> object_;
  const std::lock_guard<std::mutex> lock_;
};

// Return the object of a handle. Throw kInvalidArgument for other handles.
std::shared_ptr<Device> find_device(const millrace_device* device);
std::shared_ptr<Queue> find_queue(const millrace_queue* queue);

}  // namespace millrace::c

#endif  // MILLRACE_BINDINGS_C_CALL_H_
