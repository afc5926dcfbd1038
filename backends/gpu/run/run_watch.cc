// SPDX-License-Identifier: Apache-2.0

#include <millrace/backends/gpu/run/run_watch.h>
#include <millrace/backends/gpu/waves/wave_progress.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/clock/run_clock.h>

#include <atomic>
#include <thread>

namespace millrace::MILLRACE_GPU {
namespace {

// Spins first, so that the end of a run of some microseconds is noticed at once.
void pause_host(unsigned round) {
  constexpr unsigned kSpins = 1000;
  constexpr unsigned kYields = 3000;
  if (round < kSpins) return;
  if (round < kYields) {
    std::this_thread::yield();
  } else {
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

}  // namespace

RunWatchBase::RunWatchBase(GpuQueue& queue, RunBuffers& buffers, const WatchedRun& run,
                           std::size_t slot_bytes)
    : may_spill_(run.may_spill),
      automatic_(run.may_spill && run.options.spill_bytes == 0 ? run.automatic : nullptr),
      is_persistent_(run.automatic != nullptr &&
                     run.automatic->policy() == Policy::kPersistentThreads),
      slot_bytes_(slot_bytes),
      held_tasks_(run.held.spilled),
      queue_(queue),
      buffers_(buffers),
      options_(run.options),
      spill_bound_(run.options.spill_bytes, buffers.task_bytes() + run.held.device_bytes),
      begin_(RunClock::now()) {}

void RunWatchBase::poll() {
  if (!reason_.empty()) return;
  if (options_.stop.stop_requested()) {
    end(ErrorCode::kCancelled, kStoppedByRequest, options_.keep_unfinished);
  } else if (options_.deadline.count() > 0 && RunClock::now() - begin_ >= options_.deadline) {
    end(ErrorCode::kCancelled, kStoppedByDeadline, options_.keep_unfinished);
  } else if (spill_bound_.is_reached((held_tasks_ + spilled_tasks()) * slot_bytes_)) {
    end(ErrorCode::kOutOfMemory,
        "the run's tasks do not fit in " + std::to_string(buffers_.task_bytes()) +
            " bytes of device memory and " + spill_bound_.text() +
            "; make the queue with more task_memory_bytes",
        /*keeps=*/true);
  } else if (must_sample()) {
    is_sample_ = true;
    end(ErrorCode::kCancelled, "the run was stopped to be sampled", /*keeps=*/true);
  }
}

void RunWatchBase::set_later_roots(std::size_t roots) {
  later_roots_ = roots;
  if (roots > 0) may_sample_ = false;
}

void RunWatchBase::poll_between_waves(std::size_t tasks) {
  constexpr std::size_t kMost = 1 << 14;
  const std::size_t waiting = tasks + tasks_aside_ + later_roots_;
  if (!reason_.empty() || waiting > kMost || wanted() == 0) return;
  is_sample_ = true;
  end(ErrorCode::kCancelled, "the run was stopped to share its tasks", /*keeps=*/true);
}

void RunWatchBase::end_for_lack_of_memory(const std::string& error) {
  is_sample_ = false;
  end(ErrorCode::kOutOfMemory, lack_of_memory(error), /*keeps=*/true);
}

void RunWatchBase::end_by_failure(bool keeps) {
  if (has_lost_tasks_) return;
  is_sample_ = false;
  end(ErrorCode::kTaskFailed, "a task of the run has failed", keeps);
}

Stop RunWatchBase::stop() const {
  return static_cast<Stop>(std::atomic_ref(buffers_.host().stop).load(std::memory_order_relaxed));
}

void RunWatchBase::await() {
  try {
    if (is_on()) wait_for_end();
    // Only a kernel that polls for a stop writes its results before it sets `finished`.
    if (!is_on() || !has_ended()) synchronize(queue_.stream());
    drain(buffers_.ring());
  } catch (const std::bad_alloc&) {
    give_up();
    lose_tasks();
  } catch (const Error&) {
    if (keeps_unfinished()) drain(buffers_.ring());
    give_up();
    throw;
  } catch (...) {
    give_up();
    throw;
  }
}

// Persistent threads report nothing until they are stopped; waves report at intervals.
bool RunWatchBase::must_sample() {
  if (automatic_ == nullptr || !may_sample_) return false;
  if (spilled_tasks() > AutomaticRun::kMaxMoved) return false;
  const auto passed = RunClock::now() - begin_;
  if (passed < automatic_->sample_after()) return false;
  if (is_persistent_) return true;
  const std::uint64_t word =
      std::atomic_ref(buffers_.host().progress).load(std::memory_order_relaxed);
  if (word == last_word_) return false;
  last_word_ = word;
  tasks_reported_ += WaveProgress::tasks(word);
  ++reports_;
  // Waves between the reported ones are assumed to be like them.
  const double waves = WaveProgress::waves(word);
  const RunSample sample{.seconds = std::chrono::duration<double>(passed).count(),
                         .tasks = tasks_reported_ / reports_ * waves,
                         .waves = waves,
                         .pending = WaveProgress::tasks(word) + static_cast<double>(tasks_aside_)};
  return sample.pending > 0 && automatic_->changes_policy(sample);
}

bool RunWatchBase::has_ended() {
  return std::atomic_ref(buffers_.host().finished).load(std::memory_order_acquire) != 0;
}

// Requests chunks of persistent threads if other devices wait: about the requested fraction of the
// chunks that workers offer to each other. Those that are not there yet come as soon as they are.
void RunWatchBase::request_chunks() {
  constexpr auto kPatience = std::chrono::microseconds(200);
  const float fraction = wanted();
  if (fraction == 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - requested_at_ < kPatience) return;
  requested_at_ = now;
  const auto offered = 2 * static_cast<float>(buffers_.shard_count());
  const auto more = 1 + static_cast<std::uint32_t>(fraction * offered);
  std::atomic_ref(buffers_.host().wanted).fetch_add(more, std::memory_order_relaxed);
}

void RunWatchBase::wait_for_end() {
  for (unsigned round = 0; !has_ended(); ++round) {
    const bool is_busy = drain(buffers_.ring()) > 0;
    poll();
    request_chunks();
    if (is_busy) round = 0;
    if (round % 64 == 63 && is_idle(queue_.stream())) return;
    pause_host(round);
  }
}

// Makes the kernel end, if it still can. Called if the host has no memory for tasks, or the device
// is lost.
void RunWatchBase::give_up() {
  std::atomic_ref(buffers_.host().stop).store(kDropped, std::memory_order_relaxed);
  while (!is_idle(queue_.stream())) {
    buffers_.ring().discard();
    std::this_thread::yield();
  }
  buffers_.ring().discard();  // Otherwise the next run would take these tasks for its own.
}

void RunWatchBase::lose_tasks() {
  drop_spilled();
  has_lost_tasks_ = true;
  is_sample_ = false;
  end(ErrorCode::kOutOfMemory, "the host's memory ran out in a run", /*keeps=*/false);
}

void RunWatchBase::end(ErrorCode code, const std::string& reason, bool keeps) {
  code_ = code;
  reason_ = reason;
  std::atomic_ref(buffers_.host().stop).store(keeps ? kKept : kDropped, std::memory_order_relaxed);
}

}  // namespace millrace::MILLRACE_GPU
