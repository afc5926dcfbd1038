#include <millrace/runtime/host_threads.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include <millrace/runtime/process.h>

namespace millrace {
namespace {

constexpr int kMostThreads = 32;

int count_cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

// What for_each has several threads do.
class Loop {
 public:
  Loop(std::size_t count, const std::function<void(std::size_t)>& work)
      : work_(work), count_(count), left_(count) {}

  // Takes part until nothing is left to begin. Where that is so from the start, the caller of
  // for_each and its function may be gone.
  void join() {
    std::size_t ended = 0;
    for (std::size_t i = next_++; i < count_; i = next_++, ++ended) {
      try {
        work_(i);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
      }
    }
    if (ended == 0) return;
    const std::lock_guard lock(mutex_);
    left_ -= ended;
    if (left_ == 0) changed_.notify_all();
  }

  // Until all have ended. The caller of for_each alone then holds what was thrown: a thread of the
  // team may be the last to hold the loop.
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return left_ == 0; });
    if (const std::exception_ptr error = std::exchange(error_, nullptr)) {
      std::rethrow_exception(error);
    }
  }

 private:
  const std::function<void(std::size_t)>& work_;
  const std::size_t count_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t left_;
  std::exception_ptr error_;
};

}  // namespace

struct HostThreads::Jobs {
  void close() {
    const std::lock_guard lock(mutex);
    is_closed = true;
    changed.notify_all();
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> waiting;
  bool is_closed = false;
};

HostThreads& HostThreads::shared() {
  struct Team {
    const int generation = process_generation();
    HostThreads threads{std::min(count_cores(), kMostThreads)};
  };
  // Never destroyed: static objects may still have memory to give back. The child of a fork has
  // none of the threads, and makes a team of its own.
  static std::atomic<Team*> current = nullptr;
  Team* team = current.load(std::memory_order_acquire);
  if (team != nullptr && team->generation == process_generation()) return team->threads;
  auto made = std::make_unique<Team>();
  if (current.compare_exchange_strong(team, made.get(), std::memory_order_acq_rel)) {
    team = made.release();
  }
  return team->threads;
}

HostThreads::HostThreads(int count)
    : jobs_(std::make_shared<Jobs>()), threads_(make(count, jobs_)) {}

int HostThreads::make(int count, const std::shared_ptr<Jobs>& jobs) {
  int made = 0;
  try {
    for (; made < count; ++made) std::thread([jobs] { serve(*jobs); }).detach();
  } catch (const std::system_error&) {
    return made;  // No more are to be had.
  } catch (...) {
    jobs->close();
    throw;
  }
  return made;
}

HostThreads::~HostThreads() { jobs_->close(); }

void HostThreads::start(std::function<void()> job) {
  if (threads_ == 0) return job();
  {
    const std::lock_guard lock(jobs_->mutex);
    jobs_->waiting.push_back(std::move(job));
  }
  jobs_->changed.notify_one();
}

void HostThreads::for_each(std::size_t count, const std::function<void(std::size_t)>& work) {
  if (count == 0) return;
  const auto loop = std::make_shared<Loop>(count, work);
  const std::size_t helpers = std::min(count - 1, static_cast<std::size_t>(threads_));
  try {
    for (std::size_t i = 0; i < helpers; ++i) start([loop] { loop->join(); });
  } catch (const std::bad_alloc&) {
    loop->join();  // Those that have been asked may be at it, and need `work`.
  }
  loop->join();
  loop->wait();
}

void HostThreads::serve(Jobs& jobs) {
  std::unique_lock lock(jobs.mutex);
  for (;;) {
    jobs.changed.wait(lock, [&jobs] { return !jobs.waiting.empty() || jobs.is_closed; });
    if (jobs.waiting.empty()) return;
    const std::function<void()> job = std::move(jobs.waiting.front());
    jobs.waiting.pop_front();
    lock.unlock();
    job();
    lock.lock();
  }
}

struct HostJobs::Body {
  // Ends jobs until none waits. Called with the lock held.
  void serve(std::unique_lock<std::mutex>& lock) {
    while (!waiting.empty()) {
      const std::function<void()> job = std::move(waiting.front());
      waiting.pop_front();
      lock.unlock();
      std::exception_ptr thrown;
      try {
        job();
      } catch (...) {
        thrown = std::current_exception();
      }
      lock.lock();
      if (!error) error = std::move(thrown);
      if (--unfinished == 0) changed.notify_all();
    }
  }

  // Takes part until all have ended, likewise.
  void finish(std::unique_lock<std::mutex>& lock) {
    serve(lock);
    changed.wait(lock, [this] { return unfinished == 0; });
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> waiting;
  std::size_t unfinished = 0;
  int threads = 0;  // Of the team, that work on them.
  std::exception_ptr error;
};

HostJobs::HostJobs(HostThreads& team, int most_threads)
    : team_(team),
      most_threads_(most_threads == 0 ? team.count() : std::min(most_threads, team.count())),
      body_(std::make_shared<Body>()) {}

HostJobs::~HostJobs() {
  std::unique_lock lock(body_->mutex);
  body_->finish(lock);
}

void HostJobs::start(std::function<void()> job) {
  {
    const std::lock_guard lock(body_->mutex);
    body_->waiting.push_back(std::move(job));
    ++body_->unfinished;
    if (body_->threads == most_threads_) return;
    ++body_->threads;
  }
  team_.start([body = body_] {
    std::unique_lock lock(body->mutex);
    body->serve(lock);
    --body->threads;
  });
}

void HostJobs::wait() {
  std::unique_lock lock(body_->mutex);
  body_->finish(lock);
  if (const std::exception_ptr error = std::exchange(body_->error, nullptr)) {
    std::rethrow_exception(error);
  }
}

}  // namespace millrace
