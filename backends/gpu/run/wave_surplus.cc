// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/gpu/run/wave_surplus.h>

#include <algorithm>
#include <numeric>

namespace millrace::MILLRACE_GPU {
namespace {

// Arrays are laid out in groups of so many tasks, at which the space of a wave begins.
constexpr std::uint32_t kGroup = 32;

}  // namespace

WaveSurplus::WaveSurplus(const WaveMemory& waves, std::size_t types,
                         const std::array<std::uint32_t, kMaxTypes>& words, std::uint32_t least)
    : waves_(waves), types_(types), words_(words), least_((least + kGroup - 1) / kGroup * kGroup) {}

std::uint64_t WaveSurplus::tasks() const {
  std::uint64_t tasks = 0;
  for (const auto& array : set_aside_) {
    tasks = std::accumulate(array.begin(), array.end(), tasks);
  }
  return tasks;
}

WaveMemory WaveSurplus::memory_for(std::uint32_t wave) const {
  WaveMemory memory = waves_;
  for (const std::uint32_t each : {wave, wave + 1}) {
    const std::size_t array = array_of(each);
    for (std::size_t type = 0; type < types_; ++type) {
      const std::uint32_t below = set_aside_[array][type];
      memory.arrays[each % 2][type] =
          waves_.arrays[array][type] + std::size_t{below} * words_[type];
      memory.capacity[each % 2][type] = waves_.capacity[array][type] - below;
    }
  }
  for (std::size_t type = 0; type < types_; ++type) memory.most[type] = most_of(type);
  return memory;
}

void WaveSurplus::set_aside(std::uint32_t wave, WaveCounts& counts) {
  Deferred last{.array = array_of(wave), .counts = {}};
  bool is_any = false;
  for (std::size_t type = 0; type < types_; ++type) {
    const std::uint32_t most = most_of(type);
    if (counts[type] <= most) continue;
    last.counts[type] = (counts[type] - most + kGroup - 1) / kGroup * kGroup;
    is_any = true;
  }
  if (!is_any) return;
  for (std::size_t type = 0; type < types_; ++type) {
    counts[type] -= last.counts[type];
    set_aside_[last.array][type] += last.counts[type];
  }
  deferred_.push_back(last);
}

bool WaveSurplus::take_back(std::uint32_t wave, WaveCounts& counts) {
  if (deferred_.empty()) return false;
  const Deferred last = deferred_.back();
  deferred_.pop_back();
  shift_ = (static_cast<std::uint32_t>(last.array) + wave) % 2;
  for (std::size_t type = 0; type < types_; ++type) {
    counts[type] = last.counts[type];
    set_aside_[last.array][type] -= last.counts[type];
  }
  return true;
}

// The arrays of all types fill as one spawns another, so the fullest one counts for all.
std::uint32_t WaveSurplus::most_of(std::size_t type) const {
  double free = 1;
  for (std::size_t array = 0; array < 2; ++array) {
    for (std::size_t each = 0; each < types_; ++each) {
      const double capacity = waves_.capacity[array][each];
      if (capacity > 0) free = std::min(free, 1 - set_aside_[array][each] / capacity);
    }
  }
  const double most = free * waves_.capacity[0][type] / kMostSpawned;
  return std::max(static_cast<std::uint32_t>(most) / kGroup * kGroup, least_);
}

}  // namespace millrace::MILLRACE_GPU
