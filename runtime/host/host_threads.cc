// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/host_cores.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/host/library_thread.h>
#include <millrace/runtime/host/pause_core.h>
#include <millrace/runtime/host/process/process.h>

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

namespace millrace {
namespace {

constexpr int kMaxThreads = 32;

// The loop of for_each, which several threads run.
class Loop {
 public:
  Loop(std::size_t count, const std::function<void(std::size_t)>& work)
      : work_(work), count_(count), left_(count) {}

  // Runs iterations until all have begun. If that is so from the start, the caller of for_each may
  // have returned, and its function must not be used.
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

  // Waits until all iterations have ended and throws their first exception. The loop releases the
  // exception, because a thread of the team may be the last to own the loop.
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

// Polls, without sleeping, until a condition that is expected soon is true.
template <class Condition>
void poll_until(const Condition& is_true) {
  constexpr int kPolls = 100;  // Number of polls before the core is yielded to other threads.
  for (int i = 1; !is_true(); ++i) {
    pause_core();
    if (i % kPolls == 0) std::this_thread::yield();
  }
}

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
  std::atomic<std::size_t> count_waiting = 0;  // Threads that do not hold the mutex read it.
  bool is_closed = false;
};

HostThreads& HostThreads::shared() {
  struct Team {
    const int generation = process_generation();
    HostThreads threads{std::min(host_cores().usable, kMaxThreads)};
  };
  // Never destroyed, because static objects may free memory later. The child of a fork has none of
  // the threads and makes a team of its own.
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
    for (; made < count; ++made) {
      start_library_thread([jobs] { serve(*jobs); }, [jobs] { jobs->close(); });
    }
  } catch (const std::system_error&) {
    return made;  // The system allows no more threads.
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
    ++jobs_->count_waiting;
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
    loop->join();  // Helpers that have started may be using `work`.
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
    --jobs.count_waiting;
    lock.unlock();
    job();
    lock.lock();
  }
}

struct HostJobs::Body {
  // Calls of a function with the numbers below a count, which begin in order.
  struct Batch {
    std::size_t count;
    std::function<void(std::size_t)> work;
    alignas(64) std::atomic<std::size_t> next = 0;  // Written by all threads.
    std::atomic<std::size_t> ended = 0;
  };

  explicit Body(std::shared_ptr<const HostThreads::Jobs> jobs_of_team)
      : team(std::move(jobs_of_team)) {}

  // Takes the lock. While jobs are polled it does not sleep, because waking up takes too long.
  std::unique_lock<std::mutex> lock() {
    std::unique_lock taken(mutex, std::defer_lock);
    poll_until([&] { return !is_polled || taken.try_lock(); });
    if (!taken) taken.lock();
    return taken;
  }

  // Runs jobs until there are none left and keep_polling() has ended.
  void keep_polling() {
    const auto others_wait = [this] { return team->count_waiting > count_requested; };
    for (serve(); is_polled && !others_wait(); serve()) {
      poll_until([&] { return count_waiting > 0 || !is_polled || others_wait(); });
    }
  }

  // Runs jobs until all have begun.
  void serve() {
    std::shared_ptr<Batch> batch;
    for (;;) {
      {
        const auto held = lock();
        if (!waiting.empty() && waiting.front() == batch) {
          waiting.pop_front();
          --count_waiting;
        }
        if (waiting.empty()) return;
        batch = waiting.front();
      }
      work_on(*batch);
    }
  }

  void work_on(Batch& batch) {
    std::size_t ended = 0;
    for (std::size_t i = batch.next++; i < batch.count; i = batch.next++, ++ended) {
      try {
        batch.work(i);
      } catch (...) {
        const auto held = lock();
        if (!error) error = std::current_exception();
      }
    }
    if (ended == 0) return;
    // The function is destroyed before a waiting thread continues. Late threads only read `next`.
    if (batch.ended.fetch_add(ended) + ended == batch.count) batch.work = nullptr;
    if (unfinished.fetch_sub(ended) != ended) return;
    const auto held = lock();
    changed.notify_all();
  }

  // Runs jobs until all have ended, without sleeping if they were polled.
  void finish() {
    const bool was_polled = is_polled.exchange(false);
    serve();
    if (was_polled) poll_until([this] { return unfinished == 0; });
    std::unique_lock held(mutex);
    changed.wait(held, [this] { return unfinished == 0; });
  }

  const std::shared_ptr<const HostThreads::Jobs> team;
  std::atomic<std::size_t> count_waiting = 0;    // Number of batches.
  std::atomic<std::size_t> count_requested = 0;  // Number of the team's threads not arrived yet.
  std::atomic<std::size_t> unfinished = 0;       // Number of calls.
  std::atomic<bool> is_polled = false;
  std::mutex mutex;  // Protects the members below.
  std::condition_variable changed;
  std::deque<std::shared_ptr<Batch>> waiting;
  int threads = 0;  // Number of the team's threads that work on these jobs.
  std::exception_ptr error;
};

HostJobs::HostJobs(HostThreads& team, int most_threads)
    : team_(team),
      most_threads_(most_threads == 0 ? team.count() : std::min(most_threads, team.count())),
      body_(std::make_shared<Body>(team.jobs_)) {}

HostJobs::~HostJobs() { body_->finish(); }

void HostJobs::start(std::function<void()> job) {
  start_each(1, [job = std::move(job)](std::size_t) { job(); });
}

void HostJobs::start_each(std::size_t count, std::function<void(std::size_t)> work) {
  if (count == 0) return;
  auto batch = std::make_shared<Body::Batch>(count, std::move(work));
  int requested = 0;
  {
    const auto held = body_->lock();
    body_->waiting.push_back(std::move(batch));
    body_->unfinished += count;
    ++body_->count_waiting;
    requested = request_threads(count);
  }
  for (; requested > 0; --requested) begin_thread();
}

void HostJobs::keep_polling() {
  if (team_.count() == 1) return;
  body_->is_polled = true;
  int requested = 0;
  {
    const auto held = body_->lock();
    requested = request_threads(static_cast<std::size_t>(most_threads_));
  }
  for (; requested > 0; --requested) begin_thread();
}

int HostJobs::request_threads(std::size_t most) {
  const int all = body_->is_polled ? std::min(most_threads_, team_.count() - 1) : most_threads_;
  const auto free = static_cast<std::size_t>(std::max(all - body_->threads, 0));
  const int requested = static_cast<int>(std::min(free, most));
  body_->threads += requested;
  return requested;
}

void HostJobs::begin_thread() {
  ++body_->count_requested;
  team_.start([body = body_] {
    --body->count_requested;
    for (;;) {
      body->keep_polling();
      const auto held = body->lock();
      if (!body->waiting.empty()) continue;  // A job was started that counts on this thread.
      --body->threads;
      return;
    }
  });
}

void HostJobs::wait() {
  body_->finish();
  const std::lock_guard lock(body_->mutex);
  if (const std::exception_ptr error = std::exchange(body_->error, nullptr)) {
    std::rethrow_exception(error);
  }
}

}  // namespace millrace
