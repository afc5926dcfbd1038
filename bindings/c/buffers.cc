// SPDX-License-Identifier: Apache-2.0
#include <millrace/bindings/c/call.h>

#include <string>
#include <utility>

namespace millrace::c {
namespace {

std::shared_ptr<BufferObject> find_buffer(const millrace_buffer* buffer, const char* argument) {
  return find_handle<BufferObject>(buffer, {HandleKind::kBuffer, argument});
}

millrace_buffer* make_buffer(BufferObject object) {
  return make_handle<millrace_buffer>(HandleKind::kBuffer,
                                      std::make_shared<BufferObject>(std::move(object)));
}

// Returns the address of the `bytes` bytes from `offset` on.
std::byte* address_in(const BufferObject& buffer, const char* argument, std::size_t offset,
                      std::size_t bytes) {
  if (offset > buffer.bytes || bytes > buffer.bytes - offset) {
    reject(std::string(argument) + " has " + std::to_string(buffer.bytes) + " bytes; a copy of " +
           std::to_string(bytes) + " from offset " + std::to_string(offset) +
           " on reaches past its end");
  }
  return static_cast<std::byte*>(buffer.memory.get()) + offset;
}

}  // namespace

extern "C" {

millrace_status millrace_buffer_create(millrace_device* device, millrace_space space, size_t bytes,
                                       millrace_buffer** buffer) {
  return call([&] {
    check_not_null(buffer, "buffer");
    const std::shared_ptr<Device> owner = find_device(device);
    const MemorySpace where = space_of(space);
    const auto memory = std::make_shared<Buffer<std::byte>>(owner, where, bytes);
    *buffer = make_buffer({.device = owner,
                           .space = where,
                           .bytes = bytes,
                           .memory = std::shared_ptr<void>(memory, memory->data())});
  });
}

millrace_status millrace_buffer_wrap(millrace_device* device, millrace_space space, void* data,
                                     size_t bytes, void (*release)(void* context), void* context,
                                     millrace_buffer** buffer) {
  return call([&] {
    check_not_null(buffer, "buffer");
    if (bytes > 0) check_not_null(data, "data");
    const std::shared_ptr<Device> owner = find_device(device);
    const MemorySpace where = space_of(space);
    // `release` is called only if the buffer was made: after a failed call the caller owns the
    // memory.
    const auto is_ours = std::make_shared<bool>(false);
    const std::shared_ptr<void> memory(data, [release, context, is_ours](void*) {
      if (release != nullptr && *is_ours) release(context);
    });
    *buffer = make_buffer({.device = owner, .space = where, .bytes = bytes, .memory = memory});
    *is_ours = true;
  });
}

millrace_status millrace_buffer_get(const millrace_buffer* buffer, void** data, size_t* bytes,
                                    millrace_space* space) {
  return call([&] {
    const std::shared_ptr<BufferObject> found = find_buffer(buffer, "buffer");
    if (data != nullptr) *data = found->memory.get();
    if (bytes != nullptr) *bytes = found->bytes;
    if (space != nullptr) *space = millrace_space_of(found->space);
  });
}

millrace_status millrace_buffer_free(millrace_buffer* buffer) {
  return call([&] { free_handle(buffer, {HandleKind::kBuffer, "buffer"}); });
}

millrace_status millrace_copy(millrace_queue* queue, millrace_buffer* target, size_t target_offset,
                              const millrace_buffer* source, size_t source_offset, size_t bytes) {
  return call([&] {
    const std::shared_ptr<BufferObject> to = find_buffer(target, "target");
    const std::shared_ptr<BufferObject> from = find_buffer(source, "source");
    find_queue(queue)->copy(address_in(*to, "target", target_offset, bytes),
                            address_in(*from, "source", source_offset, bytes), bytes, to->memory,
                            from->memory);
  });
}

millrace_status millrace_copy_in(millrace_queue* queue, millrace_buffer* target,
                                 size_t target_offset, const void* source, size_t bytes) {
  return call([&] {
    const std::shared_ptr<BufferObject> to = find_buffer(target, "target");
    if (bytes > 0) check_not_null(source, "source");
    find_queue(queue)->copy(address_in(*to, "target", target_offset, bytes), source, bytes,
                            to->memory);
  });
}

millrace_status millrace_copy_out(millrace_queue* queue, void* target,
                                  const millrace_buffer* source, size_t source_offset,
                                  size_t bytes) {
  return call([&] {
    const std::shared_ptr<BufferObject> from = find_buffer(source, "source");
    if (bytes > 0) check_not_null(target, "target");
    find_queue(queue)->copy(target, address_in(*from, "source", source_offset, bytes), bytes, {},
                            from->memory);
  });
}

}  // extern "C"

}  // namespace millrace::c
