// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/simt/launch/scheduler.h>
#include <millrace/backends/simt/launch/settings.h>

#include <array>
#include <thread>
#include <utility>

namespace millrace::simt {
namespace {

constexpr std::array<std::uint32_t, 4> kWindows = {UINT32_MAX, UINT32_MAX, 64, 8};
constexpr std::array<std::uint32_t, 3> kWakeSpreads = {256, 1024, 4096};
constexpr int kPicksBetweenRotations = 256;
constexpr std::uint64_t kPatienceWithCollectives = 4;
constexpr std::chrono::seconds kPatienceWithHost{30};

}  // namespace

Scheduler::Scheduler(std::uint64_t seed)
    : random_(seed),
      window_(kWindows[random_.below(kWindows.size())]),
      wake_spread_(kWakeSpreads[random_.below(kWakeSpreads.size())]),
      limit_(progress_limit()) {}

GpuThread& Scheduler::wake() {
  until_wake_ = 1 + static_cast<int>(random_.below(wake_spread_));
  const auto count = static_cast<std::uint32_t>(resting_.size());
  GpuThread& thread = *resting_[random_.below(count)];
  erase(resting_, thread);
  insert(ready_, thread);
  return thread;
}

void Scheduler::rotate() {
  until_rotation_ = kPicksBetweenRotations;
  for (std::uint32_t i = 0; i < window_; ++i) {
    const std::uint32_t other = random_.below(static_cast<std::uint32_t>(ready_.size()));
    std::swap(ready_[i], ready_[other]);
    ready_[i]->queue_index = i;
    ready_[other]->queue_index = other;
  }
}

bool Scheduler::check_progress() {
  // The thread that it waits for may need this processor.
  std::this_thread::yield();
  const auto now = std::chrono::steady_clock::now();
  if (idle_ == 1024) {
    idle_since_ = now;
    waits_for_host_ = false;
  }
  if (idle_ < limit_ * (collectives_ == 0 ? 1 : kPatienceWithCollectives)) return false;
  return !waits_for_host_ || now - idle_since_ >= kPatienceWithHost;
}

}  // namespace millrace::simt
