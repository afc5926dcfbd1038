// SPDX-License-Identifier: Apache-2.0

// A team of host threads for copies, page faults and other work on memory that one core is too slow
// for. It belongs to no scheduler: queues of every backend share it.
//
//   HostThreads::shared().for_each(pieces, [&](std::size_t i) { ... });
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
  // The process's team, made by the first call: one thread for each core that the process may use
  // (host_cores), at most 32.
  static HostThreads& shared();

  // `count` threads, or as many as can be made.
  explicit HostThreads(int count);

  // Its threads end what was started and go, without being waited for.
  ~HostThreads();
  HostThreads(const HostThreads&) = delete;
  HostThreads& operator=(const HostThreads&) = delete;

  // How many jobs go on at a time, at least 1.
  int count() const { return std::max(threads_, 1); }

  // Has one of the threads call `job`, or calls it where none could be made. It must not throw and
  // must wait for nothing that another job or a device does: what holds up the team holds up all
  // its users.
  void start(std::function<void()> job);

  // Calls work(0) to work(count - 1) on the calling thread and the team's, in any order; returns
  // when all have ended and throws what the first that failed has thrown. A job may call this.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& work);

 private:
  friend class HostJobs;
  struct Jobs;
  static int make(int count, const std::shared_ptr<Jobs>& jobs);
  static void serve(Jobs& jobs);

  const std::shared_ptr<Jobs> jobs_;
  const int threads_;
};

// Jobs of a team that are begun one after another and waited for together. One thread starts and
// waits; jobs may start others.
class HostJobs {
 public:
  // At most `most_threads` of the team work on them at once; 0: all.
  explicit HostJobs(HostThreads& team, int most_threads = 0);

  // Waits and drops what they throw.
  ~HostJobs();

  // Has one of the threads call `job`. Jobs start in order.
  void start(std::function<void()> job);

  // The same for work(0) to work(count - 1), which is cheaper than as many jobs.
  void start_each(std::size_t count, std::function<void(std::size_t)> work);

  // To be called before the first job. Until wait(), which is to come within milliseconds, threads
  // look for jobs without sleeping: those that work on them, all but one for the caller, and as
  // long as nobody else has work for the team.
  void attend();

  // Takes part until all have ended; throws what the first that failed has thrown, once.
  void wait();

 private:
  struct Body;

  // How many more threads are to come for so many jobs, which then count; to be called with the
  // lock.
  int ask(std::size_t most);
  void begin_thread();

  HostThreads& team_;
  const int most_threads_;
  const std::shared_ptr<Body> body_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_HOST_THREADS_H_
