// SPDX-License-Identifier: Apache-2.0
#include <millrace/bindings/c/call.h>

#include <array>
#include <cstdio>
#include <exception>
#include <new>

namespace millrace::c {
namespace {

// The message of this thread's last error; longer ones are cut. It is no std::string, because a
// thread_local object with a destructor would keep the library from being unloaded.
thread_local std::array<char, 8192> last_error{};

millrace_status note(millrace_status status, const char* text) noexcept {
  std::snprintf(last_error.data(), last_error.size(), "%s", text);
  return status;
}

millrace_status status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument: return MILLRACE_INVALID_ARGUMENT;
    case ErrorCode::kNotFound: return MILLRACE_NOT_FOUND;
    case ErrorCode::kUnsupported: return MILLRACE_UNSUPPORTED;
    case ErrorCode::kOutOfMemory: return MILLRACE_OUT_OF_MEMORY;
    case ErrorCode::kTaskFailed: return MILLRACE_TASK_FAILED;
    case ErrorCode::kCancelled: return MILLRACE_CANCELLED;
    case ErrorCode::kDeviceLost: return MILLRACE_DEVICE_LOST;
    case ErrorCode::kIo: return MILLRACE_IO;
    case ErrorCode::kInternal: return MILLRACE_INTERNAL;
  }
  return MILLRACE_INTERNAL;
}

}  // namespace

millrace_status note_error() noexcept {
  try {
    throw;
  } catch (const VersionMismatch& error) {
    return note(MILLRACE_VERSION_MISMATCH, error.what());
  } catch (const Error& error) {
    return note(status_of(error.code()), error.what());
  } catch (const std::bad_alloc&) {
    return note(MILLRACE_OUT_OF_MEMORY, "the host is out of memory");
  } catch (const std::exception& error) {
    return note(MILLRACE_INTERNAL, error.what());
  } catch (...) {
    return note(MILLRACE_INTERNAL, "an exception of unknown type was thrown");
  }
}

MemorySpace space_of(millrace_space space) {
  switch (space) {
    case MILLRACE_HOST: return MemorySpace::kHost;
    case MILLRACE_PINNED: return MemorySpace::kPinned;
    case MILLRACE_DEVICE: return MemorySpace::kDevice;
  }
  reject("space is " + std::to_string(static_cast<int>(space)) +
         "; it must be MILLRACE_HOST, MILLRACE_PINNED or MILLRACE_DEVICE");
}

millrace_space millrace_space_of(MemorySpace space) {
  switch (space) {
    case MemorySpace::kHost: return MILLRACE_HOST;
    case MemorySpace::kPinned: return MILLRACE_PINNED;
    case MemorySpace::kDevice: break;
  }
  return MILLRACE_DEVICE;
}

Policy policy_of(millrace_policy policy) {
  switch (policy) {
    case MILLRACE_AUTO: return Policy::kAuto;
    case MILLRACE_PERSISTENT: return Policy::kPersistentThreads;
    case MILLRACE_UBERKERNEL: return Policy::kUberkernel;
    case MILLRACE_KERNEL_PER_TYPE: return Policy::kKernelPerType;
  }
  reject("policy is " + std::to_string(static_cast<int>(policy)) +
         "; it must be MILLRACE_AUTO, MILLRACE_PERSISTENT, MILLRACE_UBERKERNEL or "
         "MILLRACE_KERNEL_PER_TYPE");
}

std::shared_ptr<Device> find_device(const millrace_device* device) {
  return find_handle<Device>(device, {HandleKind::kDevice, "device"});
}

std::shared_ptr<Queue> find_queue(const millrace_queue* queue) {
  return find_handle<Queue>(queue, {HandleKind::kQueue, "queue"});
}

extern "C" {

const char* millrace_error_message(void) { return last_error.data(); }

const char* millrace_status_name(millrace_status status) {
  switch (status) {
    case MILLRACE_OK: return "ok";
    case MILLRACE_INVALID_ARGUMENT: return "invalid argument";
    case MILLRACE_NOT_FOUND: return "not found";
    case MILLRACE_UNSUPPORTED: return "unsupported";
    case MILLRACE_OUT_OF_MEMORY: return "out of memory";
    case MILLRACE_TASK_FAILED: return "task failed";
    case MILLRACE_CANCELLED: return "cancelled";
    case MILLRACE_DEVICE_LOST: return "device lost";
    case MILLRACE_IO: return "input or output failed";
    case MILLRACE_INTERNAL: return "internal error";
    case MILLRACE_VERSION_MISMATCH: return "version mismatch";
  }
  return "unknown";
}

int32_t millrace_version(void) { return MILLRACE_VERSION; }

}  // extern "C"

}  // namespace millrace::c
