// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/library_thread.h>
#include <millrace/runtime/host/process/process.h>
#include <millrace/runtime/host/process/unload.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace millrace {
namespace {

// The library threads of a process.
class LibraryThreads {
 public:
  // Never destroyed, because threads may end later than static objects. A child of fork() has none
  // of its parent's threads.
  static LibraryThreads& of_process() {
    static std::atomic<LibraryThreads*> current = nullptr;
    LibraryThreads* threads = current.load(std::memory_order_acquire);
    if (threads != nullptr && threads->generation_ == process_generation()) return *threads;
    auto made = std::make_unique<LibraryThreads>();
    if (current.compare_exchange_strong(threads, made.get(), std::memory_order_acq_rel)) {
      threads = made.release();
      at_unload(UnloadStep::kThreads, [threads] { threads->stop_all(); });
    }
    return *threads;
  }

  void start(std::function<void()> body, std::function<void()> stop) {
    const auto entry = std::make_shared<Entry>();
    entry->stop = std::move(stop);
    const std::lock_guard lock(mutex_);
    entries_.push_back(entry);
    try {
      entry->thread = std::thread([this, entry, body = std::move(body)]() mutable {
        body();
        body = nullptr;
        end(*entry);
      });
    } catch (...) {
      entries_.pop_back();
      throw;
    }
  }

 private:
  struct Entry {
    std::thread thread;
    std::function<void()> stop;
    bool has_ended = false;  // True once the thread does nothing but return.
  };
  using Entries = std::vector<std::shared_ptr<Entry>>;

  // Called by a thread as its last action. It joins the threads that have called it before, so that
  // at most one ended thread is not joined.
  void end(Entry& own) {
    Entries ended;
    {
      const std::lock_guard lock(mutex_);
      std::erase_if(entries_, [&ended](const std::shared_ptr<Entry>& entry) {
        if (entry->has_ended) ended.push_back(entry);
        return entry->has_ended;
      });
      own.stop = nullptr;
      own.has_ended = true;
    }
    for (const auto& entry : ended) entry->thread.join();
  }

  void stop_all() {
    for (Entries entries = take_all(); !entries.empty(); entries = take_all()) {
      std::vector<std::function<void()>> stops;
      {
        const std::lock_guard lock(mutex_);
        for (const auto& entry : entries) stops.push_back(entry->stop);
      }
      for (const auto& stop : stops) {
        if (stop) stop();
      }
      for (const auto& entry : entries) {
        if (entry->thread.get_id() == std::this_thread::get_id()) {
          entry->thread.detach();  // This thread unloads the library.
        } else {
          entry->thread.join();
        }
      }
    }
  }

  Entries take_all() {
    const std::lock_guard lock(mutex_);
    return std::exchange(entries_, {});
  }

  const int generation_ = process_generation();
  std::mutex mutex_;
  Entries entries_;  // One for each thread that is not joined.
};

}  // namespace

void start_library_thread(std::function<void()> body, std::function<void()> stop) {
  LibraryThreads::of_process().start(std::move(body), std::move(stop));
}

}  // namespace millrace
