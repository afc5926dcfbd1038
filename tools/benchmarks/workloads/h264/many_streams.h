// SPDX-License-Identifier: Apache-2.0

// Features of many H.264 streams at a time, from compressed bytes in memory of the host to features
// there, on a device or on all of the host's cores.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_MANY_STREAMS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_MANY_STREAMS_H_

#include <millrace/algorithms/h264/features/tasks/feature_streams.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/tasks/policy.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace millrace::tools {

// The order in which pictures of streams arrive.
enum class Arrival {
  kLive,    // A picture of each stream, and then the next one of each.
  kStored,  // All pictures of each stream at once.
};

// Copies of one stream.
class ManyStreams {
 public:
  // With `decodes` pictures are reconstructed, too; a device keeps them. Throws kInternal at a
  // fault of the stream.
  ManyStreams(std::vector<std::uint8_t> stream, std::size_t count, bool decodes);

  std::int64_t pictures() const;  // Number of pictures in all streams.
  std::int64_t bytes() const;

  struct DeviceRun {
    double seconds = 0;          // Time of the run.
    double pushing_seconds = 0;  // These and those of the report are sums over kWorkers threads.
    h264::FeatureStreamsReport report;
  };
  // While one has its streams on the device, others parse headers and take results.
  static constexpr std::size_t kWorkers = 3;

  // Throws kInternal where the features of a stream are not those of one thread.
  DeviceRun run_on_device(const std::shared_ptr<Device>& device, Policy policy,
                          Arrival arrival) const;
  // The same with one queue and one run for each picture of all streams, as soon as its last bits
  // are there. Returns the seconds of each picture from then until its features are in memory of
  // the host.
  std::vector<double> latencies(Device& device, Policy policy) const;
  // Returns the seconds that passed; throws likewise.
  double run_on_host() const;
  // Throws kInternal where the samples that a device gives of some streams are not those of one
  // thread.
  void check_samples(Device& device, Policy policy) const;

 private:
  struct Unit {
    std::span<const std::uint8_t> bytes;
    std::int64_t byte;
    int framing_bytes;
  };

  template <class Parser>
  void push_all(Parser& parser) const;

  std::vector<std::uint8_t> stream_;
  std::size_t count_;
  bool decodes_;
  std::vector<Unit> units_;
  std::vector<std::size_t> picture_ends_;  // Units up to the end of each picture.
  double digest_ = 0;                      // Digest of one stream's features.
  std::uint64_t sample_digest_ = 0;        // Digest of its samples.
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_MANY_STREAMS_H_
