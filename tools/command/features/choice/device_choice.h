// SPDX-License-Identifier: Apache-2.0

// Chooses which devices and how many of the host's threads read the streams of a run under
// --device auto, by the time that they are predicted to take.
//
//   const DeviceChoice choice = choose_devices(load, cores, speeds);
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_CHOICE_DEVICE_CHOICE_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_CHOICE_DEVICE_CHOICE_H_

#include <cstddef>
#include <span>

namespace millrace::tools {

// The streams of a run.
struct StreamLoad {
  double streams = 0;  // Number of streams.
  double bytes = 0;    // Bytes of all streams.
  double longest_bytes = 0;
  double picture_bytes = 0;  // Mean bytes of a picture, which its size and the bit rate give.

  // Time that one of the host's cores takes, measured on a sample of these streams: it depends on
  // the size of pictures, on the entropy coding and on the machine.
  double core_seconds_a_byte = 0;
};

// The speed of a device that parses the pictures of many streams at a time.
struct DeviceSpeed {
  double cores = 0;          // Number of the host's cores that are as fast, with all lanes busy.
  double half_pictures = 0;  // Pictures in flight with which it has half of that speed.
  double start_seconds = 0;  // Time until it has parsed its first pictures.
};

struct DeviceChoice {
  int devices = 0;     // The first ones of the list.
  int threads = 0;     // Threads of the host, each of which parses a stream at a time.
  double seconds = 0;  // Predicted time.
};

// Number of streams that are open at a time for each thread that serves a device, and of such
// threads. While one has its streams on the device, others read and write theirs. A system limits
// open files, and each stream takes memory for what it has read.
inline constexpr std::size_t kMostOpenStreams = 256;
inline constexpr std::size_t kThreadsOfDevice = 3;

// Bytes that are read of a stream before each run of a device.
inline constexpr std::size_t kPieceBytes = std::size_t{128} << 10;

// Cores that read streams and parse headers for a device, by the cores that it replaces. On an H200
// with 16 Xeon cores these phases took 3 to 30 % of the time that the cores took to parse 100,000
// streams of QCIF (docs/results/h200_h264_streams_main.json).
inline constexpr double kFeedingCores = 0.1;

// Returns the speed of a device as a number of cores, if it has one of `devices` equal portions of
// the streams.
double cores_of(const StreamLoad& load, const DeviceSpeed& speed, int devices);

// Returns the predicted time with the first `devices` of the list and `threads` of `cores` cores;
// infinite where nobody would read. Both take streams until none is left, devices the longest ones
// first and threads the shortest. Without devices, a thread has the longest stream alone.
double predict_reading_seconds(const StreamLoad& load, int cores,
                               std::span<const DeviceSpeed> speeds, int devices, int threads);

// Returns the choice with the shortest predicted time; of equal ones that with fewer devices, then
// with fewer threads. `cores` is 1 at least. Streams without bytes are left to the host's threads.
DeviceChoice choose_devices(const StreamLoad& load, int cores, std::span<const DeviceSpeed> speeds);

// Number of live streams of CIF, 25 pictures a second, that a core follows: less than half of what
// one parses (docs/performance.md).
inline constexpr int kFollowedStreamsACore = 200;

// Devices that follow streams, which do not end.
enum class Followers {
  kThreads,    // A thread of the host for each stream.
  kCpuDevice,  // The host's cores together, as a device that polls all streams.
  kGpus
};

// Returns the followers of `streams` streams such that none of them waits for another to end.
// `prefers_gpus`: there are GPUs, and the command may choose them.
Followers choose_followers(int streams, int threads, bool prefers_gpus);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_CHOICE_DEVICE_CHOICE_H_
