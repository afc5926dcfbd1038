// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/features/choice/device_choice.h>

#include <algorithm>
#include <limits>

namespace millrace::tools {

double cores_of(const StreamLoad& load, const DeviceSpeed& speed, int devices) {
  const double picture_bytes = std::max(load.picture_bytes, 1.0);
  const double streams =
      std::min(load.streams / devices, static_cast<double>(kMostOpenStreams * kThreadsOfDevice));
  const double bytes =
      std::min(load.bytes / std::max(load.streams, 1.0), static_cast<double>(kPieceBytes));
  const double pictures = streams * std::max(bytes / picture_bytes, 1.0);
  return speed.cores * pictures / (pictures + speed.half_pictures);
}

double predict_reading_seconds(const StreamLoad& load, int cores,
                               std::span<const DeviceSpeed> speeds, int devices, int threads) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const double work = load.bytes * load.core_seconds_a_byte;
  if (devices == 0) {
    if (threads == 0) return kNever;
    return std::max(work / threads, load.longest_bytes * load.core_seconds_a_byte);
  }
  if (threads >= cores) return kNever;  // Somebody has to feed the devices.
  double speed = 0;
  double start = 0;
  for (const DeviceSpeed& each : speeds.first(static_cast<std::size_t>(devices))) {
    speed += cores_of(load, each, devices);
    start = std::max(start, each.start_seconds);
  }
  speed = std::min(speed, (cores - threads) / kFeedingCores);
  return start + std::max(work - threads * start, 0.0) / (threads + speed);
}

DeviceChoice choose_devices(const StreamLoad& load, int cores,
                            std::span<const DeviceSpeed> speeds) {
  DeviceChoice best = {0, cores, predict_reading_seconds(load, cores, speeds, 0, cores)};
  for (int devices = 1; devices <= static_cast<int>(speeds.size()); ++devices) {
    for (int threads = 0; threads < cores; ++threads) {
      const double seconds = predict_reading_seconds(load, cores, speeds, devices, threads);
      if (seconds < best.seconds) best = {devices, threads, seconds};
    }
  }
  return best;
}

Followers choose_followers(int streams, int threads, bool prefers_gpus) {
  if (streams <= threads) return Followers::kThreads;
  if (!prefers_gpus || streams <= kFollowedStreamsACore * threads) return Followers::kCpuDevice;
  return Followers::kGpus;
}

}  // namespace millrace::tools
