// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/tools/benchmarks/harness/input_hash.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/harness/statistics.h>
#include <millrace/tools/benchmarks/peers/h264_peer.h>
#include <millrace/tools/benchmarks/workloads/h264/coded_stream.h>
#include <millrace/tools/benchmarks/workloads/h264/stream_scaling.h>
#include <millrace/tools/benchmarks/workloads/h264/stream_work.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

constexpr char kParseOnAll[] = "parse";
constexpr char kDecodeOnAll[] = "decode";
constexpr char kParseAlone[] = "parse+one-thread";
constexpr char kDecodeAlone[] = "decode+one-thread";
constexpr std::uint64_t kPictures = 10;

class ScalingRuns {
 public:
  ScalingRuns(const std::string& input, std::size_t streams_a_thread)
      : stream_(coded_stream_of(input, kPictures).bytes),
        streams_a_thread_(streams_a_thread),
        threads_(static_cast<std::size_t>(HostThreads::shared().count())),
        pictures_(parse_stream(stream_)) {}

  std::span<const std::uint8_t> stream() const { return stream_; }

  double seconds_on_one(bool decodes) const {
    return seconds_of([&] {
      for (std::size_t i = 0; i < streams_a_thread_; ++i) work(decodes);
    });
  }

  double seconds_on_all(bool decodes) const {
    return seconds_of([&] {
      HostThreads::shared().for_each(threads_ * streams_a_thread_,
                                     [&](std::size_t) { work(decodes); });
    });
  }

  // Throws kInternal where the stream's decisions or samples are not those of FFmpeg. Runs compare
  // the number of pictures.
  void check(bool decodes) const {
    const H264Peer peer(stream_);
    if (decodes) return check_samples(stream_, peer);
    check_decisions(stream_, peer);
  }

  RunAmount amount_on_one() const { return {.items = pictures_on_one()}; }

  RunAmount amount_on_all(bool decodes) const {
    constexpr int kRounds = 3;
    std::vector<double> one;
    std::vector<double> all;
    for (int round = 0; round < kRounds; ++round) {
      one.push_back(seconds_on_one(decodes));
      all.push_back(seconds_on_all(decodes));
    }
    const auto threads = static_cast<double>(threads_);
    RunAmount amount{.items = threads * pictures_on_one()};
    amount.values["threads"] = threads;
    // All threads have as many streams each as the one.
    amount.values["fraction of perfect scaling"] = median(one) / median(all);
    return amount;
  }

 private:
  double pictures_on_one() const {
    return static_cast<double>(streams_a_thread_) * static_cast<double>(pictures_);
  }

  void work(bool decodes) const {
    const std::int64_t pictures = decodes ? decode_stream(stream_) : parse_stream(stream_);
    if (pictures == pictures_) return;
    throw Error(ErrorCode::kInternal, "a stream has " + std::to_string(pictures) +
                                          " pictures, and before it had " +
                                          std::to_string(pictures_));
  }

  const std::vector<std::uint8_t> stream_;
  const std::size_t streams_a_thread_;
  const std::size_t threads_;
  const std::int64_t pictures_;
};

PreparedWork prepare_scaling(const std::shared_ptr<Device>& device, const std::string& input,
                             std::uint64_t size) {
  if (!device->info().shares_host_memory || device->info().is_simulated) {
    throw Error(ErrorCode::kUnsupported, "streams are parsed and decoded on the CPU alone");
  }
  const auto runs = std::make_shared<ScalingRuns>(input, size);
  PreparedWork prepared{InputHash().add(runs->stream()).text(), {}};
  for (const bool decodes : {false, true}) {
    prepared.runs.push_back({.strategy = decodes ? kDecodeAlone : kParseAlone,
                             .check =
                                 [=] {
                                   runs->check(decodes);
                                   return runs->amount_on_one();
                                 },
                             .run = [=] { return runs->seconds_on_one(decodes); }});
    prepared.runs.push_back({.strategy = decodes ? kDecodeOnAll : kParseOnAll,
                             .check = [=] { return runs->amount_on_all(decodes); },
                             .run = [=] { return runs->seconds_on_all(decodes); }});
  }
  return prepared;
}

}  // namespace

Workload scaling_workload() {
  Workload workload;
  workload.name = "h264-scaling";
  workload.what = "H.264 streams, SIZE for each thread, parsed and decoded on all cores and on one";
  workload.item_name = "pictures";
  workload.inputs = {"cif-cavlc", "cif-cabac", "1080p-cavlc", "1080p-cabac"};
  workload.takes_clips = true;
  workload.copies_clips = true;
  workload.input_rule = kClipRule;
  workload.is_input = is_clip_input;
  workload.strategies = {kParseOnAll, kParseAlone, kDecodeOnAll, kDecodeAlone};
  workload.sizes = SizeChoice{.cpu = {8}, .gpu = {8}, .quick = 2, .simulated = 1};
  workload.size_rule = "is 1 to 10000";
  workload.is_size = [](std::uint64_t size) { return size >= 1 && size <= 10'000; };
  workload.prepare = prepare_scaling;
  return workload;
}

}  // namespace millrace::tools
