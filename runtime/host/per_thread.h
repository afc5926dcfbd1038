// SPDX-License-Identifier: Apache-2.0

// An object for each thread, made on the thread's first access. It is destroyed when the thread
// ends or the library is unloaded. It replaces thread_local objects with destructors: the system
// does not unload a library as long as a thread exists that has one of them.
//
//   static auto& memory = *new PerThread<std::vector<std::byte>>;
//   memory.get().resize(bytes);
#ifndef MILLRACE_RUNTIME_HOST_PER_THREAD_H_
#define MILLRACE_RUNTIME_HOST_PER_THREAD_H_

#include <millrace/runtime/host/process/unload.h>

#include <pthread.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <vector>

namespace millrace {

// Never destroyed, because static objects may use it. T must be default-constructible. Thread-safe.
template <class T>
class PerThread {
 public:
  PerThread() {
    if (const int error = pthread_key_create(&key_, &destroy); error != 0) {
      throw std::system_error(error, std::generic_category(),
                              "no key is left for objects of threads; a process has " +
                                  std::to_string(PTHREAD_KEYS_MAX));
    }
    at_unload(UnloadStep::kSchedulers, [this] { unload(); });
  }
  ~PerThread() = delete;
  PerThread(const PerThread&) = delete;
  PerThread& operator=(const PerThread&) = delete;

  // Returns the calling thread's object.
  T& get() {
    void* object = pthread_getspecific(key_);
    if (object == nullptr) object = make();
    return static_cast<Object*>(object)->value;
  }

 private:
  struct Object {
    explicit Object(PerThread* of) : owner(of) {}

    PerThread* const owner;
    T value{};
  };

  void* make() {
    auto object = std::make_unique<Object>(this);
    const std::lock_guard lock(mutex_);
    objects_.push_back(std::move(object));
    if (const int error = pthread_setspecific(key_, objects_.back().get()); error != 0) {
      objects_.pop_back();
      throw std::system_error(error, std::generic_category(),
                              "an object of this thread cannot be kept");
    }
    return objects_.back().get();
  }

  static void destroy(void* object) {
    PerThread& owner = *static_cast<Object*>(object)->owner;
    const std::lock_guard lock(owner.mutex_);
    std::erase_if(owner.objects_, [object](const auto& other) { return other.get() == object; });
  }

  // Threads that still run do not call the library any more.
  void unload() {
    pthread_key_delete(key_);
    const std::lock_guard lock(mutex_);
    objects_.clear();
  }

  pthread_key_t key_{};
  std::mutex mutex_;
  std::vector<std::unique_ptr<Object>> objects_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_PER_THREAD_H_
