// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/entropy/tasks/parse_on.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/tools/benchmarks/harness/input_hash.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/peers/h264_peer.h>
#include <millrace/tools/benchmarks/workloads/h264/coded_stream.h>
#include <millrace/tools/benchmarks/workloads/h264/features_start.h>
#include <millrace/tools/benchmarks/workloads/h264/h264_workloads.h>
#include <millrace/tools/benchmarks/workloads/h264/made_streams.h>
#include <millrace/tools/benchmarks/workloads/h264/many_streams.h>
#include <millrace/tools/benchmarks/workloads/h264/slice_jobs.h>
#include <millrace/tools/benchmarks/workloads/h264/stream_scaling.h>
#include <millrace/tools/benchmarks/workloads/h264/stream_work.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

constexpr char kParse[] = "parse";
constexpr char kDecode[] = "decode";
constexpr char kFeatures[] = "features";
constexpr char kPeer[] = "FFmpeg";

double thread_seconds() {
  std::timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double thread_seconds_of(const std::function<void()>& work) {
  const double begin = thread_seconds();
  work();
  return thread_seconds() - begin;
}

// Throws kInternal unless FFmpeg gives as many pictures as the stream has.
void check_pictures(std::int64_t of_peer, std::int64_t of_stream) {
  if (of_peer == of_stream) return;
  throw Error(ErrorCode::kInternal, "FFmpeg decodes " + std::to_string(of_peer) + " pictures of " +
                                        std::to_string(of_stream));
}

class StreamRuns {
 public:
  StreamRuns(const std::string& input, std::uint64_t size)
      : stream_(coded_stream_of(input, size)), peer_(stream_.bytes) {}

  static PreparedWork prepare(const std::shared_ptr<StreamRuns>& all, bool wants_features) {
    PreparedWork prepared{InputHash().add(all->stream_.bytes).text(), {}};
    const std::span<const std::uint8_t> bytes = all->stream_.bytes;
    const auto add = [&](const std::string& strategy, const std::string& peer,
                         std::function<std::int64_t()> work, std::function<void()> check) {
      prepared.runs.push_back({.strategy = strategy,
                               .peer = peer,
                               .check =
                                   [all, work, check, wants_features] {
                                     if (check) check();
                                     return all->amount(work, wants_features);
                                   },
                               .run = [all, work] { return thread_seconds_of(work); }});
    };
    if (wants_features) {
      add(
          kFeatures, "", [bytes] { return measure_features(bytes); },
          [all, bytes] { check_decisions(bytes, all->peer_); });
    } else {
      add(
          kParse, "", [bytes] { return parse_stream(bytes); },
          [all, bytes] { check_decisions(bytes, all->peer_); });
      add(
          kDecode, "", [bytes] { return decode_stream(bytes); },
          [all, bytes] { check_samples(bytes, all->peer_); });
    }
    add(
        "", kPeer, [all] { return all->decode_by_peer(); },
        [all, bytes] { check_pictures(all->decode_by_peer(), parse_stream(bytes)); });
    return prepared;
  }

 private:
  std::int64_t decode_by_peer() const {
    std::int64_t pictures = 0;
    peer_.decode([&](const H264PeerPicture&) { ++pictures; });
    return pictures;
  }

  RunAmount amount(const std::function<std::int64_t()>& work, bool counts_pictures) const {
    std::int64_t pictures = 0;
    const double seconds = thread_seconds_of([&] { pictures = work(); });
    const double rate = static_cast<double>(pictures) / seconds;
    RunAmount amount;
    amount.items = counts_pictures ? static_cast<double>(pictures)
                                   : 8.0 * static_cast<double>(stream_.bytes.size());
    amount.values["pictures per s"] = rate;
    if (stream_.frames_per_second > 0) {
      amount.values["live streams"] = rate / stream_.frames_per_second;
    }
    return amount;
  }

  const CodedStream stream_;
  const H264Peer peer_;
};

Workload stream_workload(const std::string& name, const std::string& what, bool wants_features) {
  Workload workload;
  workload.name = name;
  workload.what = what;
  workload.item_name = wants_features ? "pictures" : "bits";
  workload.inputs.clear();
  for (const StreamSettings& settings : made_streams()) workload.inputs.push_back(settings.name);
  workload.takes_clips = true;
  workload.input_rule = kClipRule;
  workload.is_input = is_clip_input;
  if (wants_features) {
    workload.strategies = {kFeatures};
  } else {
    workload.strategies = {kParse, kDecode};
  }
  workload.sizes = SizeChoice{.cpu = {50}, .gpu = {50}, .quick = 10, .simulated = 5};
  workload.size_rule = "is 2 to 10000";
  workload.is_size = [](std::uint64_t size) { return size >= 2 && size <= 10'000; };
  workload.prepare = [wants_features](const std::shared_ptr<Device>& device,
                                      const std::string& input, std::uint64_t size) {
    if (!device->info().shares_host_memory || device->info().is_simulated) {
      throw Error(ErrorCode::kUnsupported, "streams are parsed and decoded on the CPU alone");
    }
    return StreamRuns::prepare(std::make_shared<StreamRuns>(input, size), wants_features);
  };
  return workload;
}

PreparedWork prepare_slices(const std::shared_ptr<Device>& device, const std::string& input,
                            std::uint64_t size) {
  constexpr std::uint64_t kPictures = 50;
  const CodedStream stream = coded_stream_of(input, kPictures);
  const auto slices = std::make_shared<SliceJobs>(stream.bytes, size);
  const std::shared_ptr<Queue> queue = device->make_queue();
  PreparedWork prepared{InputHash().add(stream.bytes).text(), {}};
  for (const Policy policy : kConcretePolicies) {
    const auto parse = [=] {
      return h264::parse_on(*queue, slices->reset(), {{.policy = policy}});
    };
    WorkRun run;
    run.policy = to_string(policy);
    run.check = [=] {
      slices->check(parse());
      RunAmount amount;
      amount.items = static_cast<double>(slices->payload_bits());
      amount.values["bits per macroblock"] =
          amount.items / static_cast<double>(slices->macroblocks());
      return amount;
    };
    run.run = [=] { return parse().report.seconds; };
    prepared.runs.push_back(std::move(run));
  }
  return prepared;
}

Workload slice_workload() {
  Workload workload;
  workload.name = "h264-slices";
  workload.what = "entropy decoding of many slices at once";
  workload.item_name = "bits";
  workload.inputs = {"cif-cavlc", "cif-cabac", "cif-300k-baseline", "cif-300k-main"};
  workload.takes_clips = true;
  workload.input_rule = kClipRule;
  workload.is_input = is_clip_input;
  workload.copies_clips = true;
  workload.sizes =
      SizeChoice{.cpu = {2'000}, .gpu = {2'000, 20'000}, .quick = 200, .simulated = 20};
  workload.size_rule = "is 1 to 1000000";
  workload.is_size = [](std::uint64_t size) { return size >= 1 && size <= 1'000'000; };
  workload.prepare = prepare_slices;
  return workload;
}

constexpr char kLive[] = "live";
constexpr char kStored[] = "stored";
constexpr char kHost[] = "the host's cores";

PreparedWork prepare_many_streams(const std::shared_ptr<Device>& device, const std::string& input,
                                  std::uint64_t size, bool decodes) {
  // A simulated device takes a second for some thousand macroblocks.
  const std::uint64_t pictures = device->info().is_simulated ? 3 : 25;
  const CodedStream stream = coded_stream_of(input, pictures);
  const auto streams = std::make_shared<ManyStreams>(stream.bytes, size, decodes);
  PreparedWork prepared{InputHash().add(stream.bytes).text(), {}};
  const auto amount_of = [streams, rate = stream.frames_per_second](double seconds) {
    RunAmount amount;
    amount.items = static_cast<double>(streams->pictures());
    amount.values["Gbit per s"] = 8e-9 * static_cast<double>(streams->bytes()) / seconds;
    if (rate > 0) {
      amount.values["live streams"] = amount.items / seconds / rate;
      amount.values["pictures per s of a stream"] = rate;
    }
    return amount;
  };
  for (const Policy policy : kConcretePolicies) {
    for (const auto& [name, arrival] :
         {std::pair{kLive, Arrival::kLive}, std::pair{kStored, Arrival::kStored}}) {
      const auto measure = [=, arrival = arrival] {
        return streams->run_on_device(device, policy, arrival);
      };
      WorkRun run;
      run.policy = to_string(policy);
      run.strategy = name;
      run.check = [=] {
        if (decodes) streams->check_samples(*device, policy);
        measure();  // The first run takes longer: it allocates what later ones use again.
        const ManyStreams::DeviceRun phases = measure();
        RunAmount amount = amount_of(phases.seconds);
        const double all = phases.seconds * static_cast<double>(ManyStreams::kWorkers);
        amount.values["headers share"] = phases.pushing_seconds / all;
        amount.values["writing share"] = phases.report.writing_seconds / all;
        amount.values["device share"] = phases.report.device_seconds / all;
        amount.values["tasks share"] = phases.report.task_seconds / all;
        if (decodes) amount.values["pictures share"] = phases.report.sample_seconds / all;
        amount.values["reporting share"] = phases.report.reporting_seconds / all;
        const auto macroblocks = static_cast<double>(phases.report.macroblocks);
        amount.values["upload bytes per macroblock"] =
            static_cast<double>(phases.report.bytes_up) / macroblocks;
        amount.values["download bytes per macroblock"] =
            static_cast<double>(phases.report.bytes_down) / macroblocks;
        return amount;
      };
      run.run = [=] { return measure().seconds; };
      prepared.runs.push_back(std::move(run));
    }
  }
  WorkRun host;
  host.peer = kHost;
  host.check = [=] { return amount_of(streams->run_on_host()); };
  host.run = [=] { return streams->run_on_host(); };
  prepared.runs.push_back(std::move(host));
  if (decodes) {
    WorkRun peer;
    peer.peer = kPeer;
    const auto decoder = std::make_shared<H264Peer>(stream.bytes);
    const auto decode_all = [=] {
      HostThreads::shared().for_each(
          size, [&decoder](std::size_t) { decoder->decode([](const H264PeerPicture&) {}); });
    };
    peer.check = [=] { return amount_of(seconds_of(decode_all)); };
    peer.run = [=] { return seconds_of(decode_all); };
    prepared.runs.push_back(std::move(peer));
  }
  return prepared;
}

Workload many_streams_workload(const std::string& name, const std::string& what, bool decodes) {
  Workload workload;
  workload.name = name;
  workload.what = what;
  workload.item_name = "pictures";
  workload.inputs = {"cif-300k-baseline", "cif-300k-main", "qcif-64k-baseline", "qcif-64k-main"};
  workload.takes_clips = true;
  workload.input_rule = kClipRule;
  workload.is_input = is_clip_input;
  workload.copies_clips = true;
  workload.strategies = {kLive, kStored};
  workload.sizes = SizeChoice{.cpu = {100},
                              .gpu = {200, 2'000, decodes ? 10'000U : 20'000U},
                              .quick = decodes ? 4U : 20U,
                              .simulated = decodes ? 1U : 2U};
  workload.size_rule = "is 1 to 200000";
  workload.is_size = [](std::uint64_t size) { return size >= 1 && size <= 200'000; };
  workload.prepare = [decodes](const std::shared_ptr<Device>& device, const std::string& input,
                               std::uint64_t size) {
    return prepare_many_streams(device, input, size, decodes);
  };
  return workload;
}

// Returns a value that `fraction` of the values are at most.
double quantile(std::vector<double> values, double fraction) {
  const auto rank = static_cast<std::size_t>(fraction * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(rank));
  return values[rank];
}

PreparedWork prepare_latency(const std::shared_ptr<Device>& device, const std::string& input,
                             std::uint64_t size) {
  const std::uint64_t pictures = device->info().is_simulated ? 3 : 25;
  const CodedStream stream = coded_stream_of(input, pictures);
  PreparedWork prepared{InputHash().add(stream.bytes).text(), {}};
  for (const bool decodes : {false, true}) {
    const auto streams = std::make_shared<ManyStreams>(stream.bytes, size, decodes);
    for (const Policy policy : kConcretePolicies) {
      const auto measure = [=] { return streams->latencies(*device, policy); };
      WorkRun run;
      run.policy = to_string(policy);
      run.strategy = decodes ? kDecode : kFeatures;
      run.check = [=] {
        measure();  // The first pictures take longer: they allocate what later ones use again.
        const std::vector<double> latencies = measure();
        RunAmount amount;
        amount.items = static_cast<double>(size);
        amount.values["median ms"] = 1e3 * quantile(latencies, 0.5);
        amount.values["worst ms"] = 1e3 * quantile(latencies, 1);
        return amount;
      };
      run.run = [=] { return quantile(measure(), 0.5); };
      prepared.runs.push_back(std::move(run));
    }
  }
  return prepared;
}

Workload latency_workload() {
  Workload workload;
  workload.name = "h264-latency";
  workload.what = "from the last bits of a picture, one of each stream, to its features";
  workload.item_name = "pictures";
  workload.inputs = {"cif-300k-baseline", "cif-300k-main"};
  workload.takes_clips = true;
  workload.input_rule = kClipRule;
  workload.is_input = is_clip_input;
  workload.copies_clips = true;
  workload.strategies = {kFeatures, kDecode};
  workload.sizes = SizeChoice{.cpu = {1}, .gpu = {1, 5'001}, .quick = 1, .simulated = 1};
  workload.size_rule = "is 1 to 200000";
  workload.is_size = [](std::uint64_t size) { return size >= 1 && size <= 200'000; };
  workload.prepare = prepare_latency;
  return workload;
}

}  // namespace

std::vector<Workload> h264_workloads() {
  return {
      stream_workload("h264", "an H.264 stream, parsed and decoded on one core", false),
      stream_workload("features", "features of an H.264 stream's frames on one core", true),
      slice_workload(),
      many_streams_workload(
          "h264-streams",
          "features of SIZE H.264 streams, from bytes to features in memory of the host", false),
      many_streams_workload(
          "h264-decoding",
          "the same, and pictures reconstructed and deblocked, which a device keeps", true),
      latency_workload(),
      scaling_workload(),
      start_workload()};
}

}  // namespace millrace::tools
