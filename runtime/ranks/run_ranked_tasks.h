// SPDX-License-Identifier: Apache-2.0

// Runs one queue of tasks that spawn tasks on all ranks: each runs it on its device, and takes
// tasks from others when it has none.
//
//   DistributedQueue ranks{world_communicator(), *queue};
//   run_tasks(ranks, SharedTasks<Tasks>{.roots = my_roots, .prepare = ..., .finish = ...});
#ifndef MILLRACE_RUNTIME_RANKS_RUN_RANKED_TASKS_H_
#define MILLRACE_RUNTIME_RANKS_RUN_RANKED_TASKS_H_

#include <millrace/runtime/group/internal/shared_run.h>
#include <millrace/runtime/group/internal/task_exchange.h>
#include <millrace/runtime/group/item_sharing.h>
#include <millrace/runtime/group/shared_tasks.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/collectives.h>
#include <millrace/runtime/ranks/distributed_queue.h>
#include <millrace/runtime/ranks/internal/task_ranks.h>
#include <millrace/runtime/tasks/travelling_tasks.h>

#include <exception>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <typeinfo>
#include <utility>
#include <vector>

namespace millrace {
namespace internal {

inline RankStop rank_stop_of(const StopReason& reason) {
  if (reason.code == ErrorCode::kOutOfMemory) return RankStop::kMemory;
  return reason.text == kStoppedByRequest ? RankStop::kRequest : RankStop::kDeadline;
}

inline StopReason reason_of(RankStop how) {
  switch (how) {
    case RankStop::kMemory:
      return {ErrorCode::kOutOfMemory, "another rank has no memory for more tasks"};
    case RankStop::kRequest: return {ErrorCode::kCancelled, kStoppedByRequest};
    default: return {ErrorCode::kCancelled, kStoppedByDeadline};
  }
}

}  // namespace internal

// Collective: all ranks call it, each with its own part of the roots, which may be empty. Returns
// once all tasks of all ranks have run. The report's `run` is the sum over all ranks; `devices` has
// this rank's one. As run_tasks() over a DeviceGroup (run_shared_tasks.h) otherwise:
// * An error of one rank is thrown on all, with the rank before its message. With keep_unfinished,
//   which is the same on all ranks, it is a FailedRun with the tasks that this rank had left.
// * A deadline, which each rank measures by itself, or a stop request of one rank stops all:
//   RunStopped or UnfinishedRun is thrown on all; each rank gets the tasks that it had left. That
//   rank sends a message to each other rank, for a deadline once its device has stopped. Others
//   poll for messages every TaskRanks::kStopPoll, 50 microseconds, and then stop their devices. So
//   all devices have stopped after at most twice the time that one takes (RunOptions::deadline),
//   plus a message and a poll.
// * At most 254 ranks.
template <class Set>
SharedRunReport run_tasks(const DistributedQueue& ranks, const SharedTasks<Set>& tasks,
                          const RunOptions& options = {}) {
  static_assert(kTasksTravel<Set>);
  Communicator& communicator = ranks.communicator;
  Queue& queue = ranks.queue;
  together(communicator, [&] {
    check(ranks);
    check(tasks, options);
    queue.wait();
  });
  const HomeOwners owners(communicator, brought_homes(tasks.roots));
  TaskRanks<Set> others(communicator, owners, ranks.message_bytes);
  const std::vector<DeviceInfo> devices = {queue.device().info()};
  const std::string operation = typeid(Set).name();
  TaskExchange<Set> exchange(DeviceSpeeds::shared().of(operation, devices), owners.homes(),
                             tasks.roots, &others);
  SharedRun<Set> run(exchange, options, 1);
  const std::stop_callback on_request(options.stop, [&] { others.stop(RankStop::kRequest); });
  bool has_results = false;
  std::exception_ptr error;
  const auto fail = [&] {
    error = std::current_exception();
    run.stop_by_failure();
    others.stop(RankStop::kFailure);
  };
  {
    std::jthread device;
    try {
      device = std::jthread([&] {
        try {
          has_results = run.run_on(0, queue, tasks);
          if (run.has_failed()) return others.stop(RankStop::kFailure);
          if (const auto why = run.reason()) others.stop(internal::rank_stop_of(*why));
        } catch (...) {
          fail();
        }
      });
    } catch (const std::system_error&) {
      fail();
    }
    try {
      others.serve(exchange, [&](RankStop how) {
        if (how == RankStop::kFailure) return run.stop_by_failure();
        run.stop(internal::reason_of(how));
      });
    } catch (...) {
      run.stop_by_failure();
      exchange.end();
      throw;
    }
  }
  if (run.has_failed()) error = std::make_exception_ptr(run.failure(/*names=*/{}));
  SharedRunReport report;
  const auto sum_report = [&] {
    report = run.report(devices);
    communicator.all_sum(report.run.tasks_by_type.data(), report.run.tasks_by_type.size());
  };
  bool is_finished = false;
  try {
    agree(communicator, error);
    is_finished = true;
    together(communicator, [&] { finish(queue, tasks); });
  } catch (const Error& failure) {
    const bool is_agreed = dynamic_cast<const AgreedError*>(&failure) != nullptr;
    if (!is_agreed && communicator.size() > 1) throw;
    sum_report();
    if (!options.keep_unfinished) throw;
    if (has_results && !is_finished) run.finish_on(0, queue, tasks);
    run.throw_failed(failure, report.run, run.take_rest());
  }
  sum_report();
  TaskList<Set> rest = run.take_rest();
  together(communicator, [&] { exchange.check_arrivals(); });
  if (all_sum(communicator, rest.size()) > 0) run.throw_stopped(report.run, std::move(rest));
  if constexpr (Set::kOpensJoins) {
    together(communicator, [&] {
      if (!rest.joins().empty()) throw_waiting<Set>(rest.joins());
    });
  }
  note_speeds(report, operation);
  return report;
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_RANKS_RUN_RANKED_TASKS_H_
