// SPDX-License-Identifier: Apache-2.0

// Handles of a vendor's library that are kept for reuse, because creating them takes long.
#ifndef MILLRACE_BACKENDS_GPU_HOST_STREAMS_HANDLE_CACHE_H_
#define MILLRACE_BACKENDS_GPU_HOST_STREAMS_HANDLE_CACHE_H_

#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

namespace millrace::MILLRACE_GPU {

// All members may be called from any thread. The owner destroys the remaining handles.
template <class Handle>
class HandleCache {
 public:
  explicit HandleCache(std::size_t most) { handles_.reserve(most); }

  // Returns the handle kept last.
  std::optional<Handle> take() {
    const std::lock_guard lock(mutex_);
    if (handles_.empty()) return std::nullopt;
    const Handle handle = handles_.back();
    handles_.pop_back();
    return handle;
  }

  // Keeps a handle. Returns false if there is no space; the caller then destroys it.
  bool keep(Handle handle) noexcept {
    const std::lock_guard lock(mutex_);
    if (handles_.size() == handles_.capacity()) return false;
    handles_.push_back(handle);
    return true;
  }

 private:
  std::mutex mutex_;
  std::vector<Handle> handles_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_HOST_STREAMS_HANDLE_CACHE_H_
