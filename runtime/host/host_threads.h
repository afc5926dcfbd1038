// SPDX-License-Identifier: Apache-2.0

// A team of host threads for copies, page faults and other work on memory that is too slow on one
// core. It belongs to no scheduler: the queues of all backends share it.
//
//   HostThreads::shared().for_each(pieces, [&](std::size_t i) { copy(piece(i)); });
//
//   HostJobs jobs(HostThreads::shared());
//   jobs.start([&] { write(first_chunk); });
//   jobs.start([&] { write(second_chunk); });
//   jobs.wait();
#ifndef MILLRACE_RUNTIME_HOST_HOST_THREADS_H_
#define MILLRACE_RUNTIME_HOST_HOST_THREADS_H_

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>

namespace millrace {

// All members may be called from any thread.
class HostThreads {
 public:
  // Returns the process's team, which the first call makes. It has one thread for each core that
  // the process may use (host_cores), at most 32.
  static HostThreads& shared();

  // Starts `count` threads, or as many as the system allows.
  explicit HostThreads(int count);

  // Does not wait: the threads finish the jobs that were started and end.
  ~HostThreads();
  HostThreads(const HostThreads&) = delete;
  HostThreads& operator=(const HostThreads&) = delete;

  // Returns the number of jobs that run at a time, at least 1.
  int count() const { return std::max(threads_, 1); }

  // Calls `job` on one of the threads, or on this thread if the team has none. The job must not
  // throw, and must not wait for another job or for a device, because that would block all users of
  // the team.
  void start(std::function<void()> job);

  // Calls work(0) to work(count - 1) on the calling thread and the team's, in any order. Returns
  // when all calls have ended, and throws the first exception. A job may call this.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& work);

  // The same for calls that are too short to be given out one by one: a thread takes `piece` calls
  // at a time.
  template <class Work>
  void for_each_in_pieces(std::size_t count, std::size_t piece, const Work& work) {
    for_each((count + piece - 1) / piece, [&](std::size_t k) {
      const std::size_t end = std::min(count, (k + 1) * piece);
      for (std::size_t i = k * piece; i < end; ++i) work(i);
    });
  }

 private:
  friend class HostJobs;
  struct Jobs;
  static int make(int count, const std::shared_ptr<Jobs>& jobs);
  static void serve(Jobs& jobs);

  const std::shared_ptr<Jobs> jobs_;
  const int threads_;
};

// Jobs of a team that are started one by one and waited for together. One thread starts them and
// waits; jobs may start others.
class HostJobs {
 public:
  // At most `most_threads` threads of the team work on the jobs at a time; 0 means all.
  explicit HostJobs(HostThreads& team, int most_threads = 0);

  // Waits and drops exceptions.
  ~HostJobs();

  // Calls `job` on one of the threads. Jobs start in order.
  void start(std::function<void()> job);

  // Calls work(0) to work(count - 1) on the threads, at a lower cost than `count` jobs.
  void start_each(std::size_t count, std::function<void(std::size_t)> work);

  // Makes threads poll for jobs without sleeping until wait(), which must follow within
  // milliseconds. It must be called before the first job. All threads of these jobs but one, which
  // the caller replaces, poll as long as nobody else has work for the team.
  void keep_polling();

  // Runs jobs until all have ended. Throws the first exception, once.
  void wait();

 private:
  struct Body;

  // Returns the number of threads to start for `most` jobs, and counts them as working. Requires
  // the lock.
  int request_threads(std::size_t most);
  void begin_thread();

  HostThreads& team_;
  const int most_threads_;
  const std::shared_ptr<Body> body_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_HOST_THREADS_H_
