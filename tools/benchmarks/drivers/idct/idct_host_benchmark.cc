// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/drivers/idct/idct_host_benchmark.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <millrace/algorithms/idct/stream/host_transform.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/tools/benchmarks/harness/contest.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_host_workload.h>

namespace millrace::tools {
namespace {

using idct::HostInput;
using idct::HostTransform;

IdctHostWorkload make_workload(const std::shared_ptr<Device>& device,
                               const IdctHostBenchmarkOptions& options) {
  const DeviceInfo& info = device->info();
  std::size_t pictures = options.pictures;
  if (pictures == 0) pictures = info.is_simulated ? 2 : info.shares_host_memory ? 20 : 160;
  if (!options.clip.empty()) return IdctHostWorkload::of_clip(device, options.clip, pictures);
  constexpr int kColumns = 120;
  constexpr int kRows = 68;
  return info.is_simulated ? IdctHostWorkload::synthetic(device, 12, 8, pictures)
                           : IdctHostWorkload::synthetic(device, kColumns, kRows, pictures);
}

// One way to send a queue and to get results back.
struct Way {
  std::string name;
  std::function<PipelineReport()> run;
  std::function<void()> check;
  PipelineReport report{};
};

class Ways {
 public:
  Ways(const std::shared_ptr<Device>& device, IdctHostWorkload& work,
       const IdctHostBenchmarkOptions& options)
      : work_(work),
        raw_(device, with(options, CodecUse::kRaw)),
        coding_(device, with(options, CodecUse::kCoded)),
        measured_(device, with(options, CodecUse::kMeasured)),
        coded_(*device, work.queue(),
               options.chunk_macroblocks / work.row_size() * work.row_size()) {
    const HostInput dense = work.queue();
    add_residual("int16 back, raw", raw_, dense);
    add_features("features back, raw", raw_, dense);
    add_features("features back, coded on the way", coding_, dense);
    add_features("features back, as measured rates say", measured_, dense);
    add_features("features back, coded beforehand", raw_, coded_);
    const idct::HostPrediction there{work.device_prediction(), MemorySpace::kDevice};
    add_pictures("uint8 back, raw", raw_, dense, there);
    add_pictures("uint8 back, coded on the way", coding_, dense, there);
    add_pictures("uint8 back, as measured rates say", measured_, dense, there);
    add_pictures("uint8 back, coded beforehand", raw_, coded_, there);
    add_pictures("uint8 back, coded beforehand, prediction up", raw_, coded_,
                 {work.prediction(), MemorySpace::kPinned});
  }

  static constexpr std::size_t kRoundTrip = 0;
  static constexpr std::size_t kDenseFeatures = 1;
  static constexpr std::size_t kFeaturesOnTheWay = 2;
  static constexpr std::size_t kFeaturesCoded = 4;
  static constexpr std::size_t kPicturesOnTheWay = 6;
  static constexpr std::size_t kPicturesCoded = 8;

  std::vector<Way>& ways() { return ways_; }
  double coded_bytes() const {
    return static_cast<double>(coded_.bytes()) / static_cast<double>(coded_.count());
  }

 private:
  static idct::HostTransformOptions with(const IdctHostBenchmarkOptions& options, CodecUse use) {
    return {.chunk_macroblocks = options.chunk_macroblocks, .depth = options.depth, .codec = use};
  }

  void add_residual(std::string name, HostTransform& transform, const HostInput& input) {
    ways_.push_back(
        {std::move(name),
         [this, &transform, input] { return transform.residual(input, work_.residual()); },
         [this] { work_.check_residual(); }});
  }
  void add_features(std::string name, HostTransform& transform, const HostInput& input) {
    ways_.push_back({std::move(name),
                     [this, &transform, input] {
                       return transform.features(input, work_.picture_size(), work_.features());
                     },
                     [this] { work_.check_features(); }});
  }
  void add_pictures(std::string name, HostTransform& transform, const HostInput& input,
                    const idct::HostPrediction& prediction) {
    ways_.push_back({std::move(name),
                     [this, &transform, input, prediction] {
                       return transform.reconstruct(input, prediction, work_.output());
                     },
                     [this] { work_.check_output(); }});
  }

  IdctHostWorkload& work_;
  HostTransform raw_;
  HostTransform coding_;
  HostTransform measured_;
  idct::CodedQueue coded_;
  std::vector<Way> ways_;
};

void print_row(const Way& way, const Timing& timing, double count) {
  const PipelineReport& report = way.report;
  const auto per_macroblock = [count](std::uint64_t bytes) {
    return static_cast<double>(bytes) / count;
  };
  const auto percent = [&](double seconds) { return 100 * seconds / report.seconds; };
  std::printf(
      "%-44s %8.1f %8.1f %7.2f  %6.1f %6.1f %6.1f %6.1f  %4llu/%-4llu %4.0f %4.0f %4.0f %4.0f\n",
      way.name.c_str(), count / timing.median_seconds / 1e6, count / timing.best_seconds / 1e6,
      1 / timing.ratio_to_first, per_macroblock(report.bytes_up), per_macroblock(report.bytes_down),
      static_cast<double>(report.bytes_up) / timing.median_seconds / 1e9,
      static_cast<double>(report.bytes_down) / timing.median_seconds / 1e9,
      static_cast<unsigned long long>(report.coded_up),
      static_cast<unsigned long long>(report.chunks), percent(report.produce_seconds),
      percent(report.upload_seconds), percent(report.compute_seconds),
      percent(report.download_seconds));
}

void print_bars(const std::vector<Timing>& timings) {
  const auto bar = [&](std::size_t way, std::size_t to, const char* what, double least) {
    const double ratio = timings[way].ratio_to_first > 0
                             ? timings[to].ratio_to_first / timings[way].ratio_to_first
                             : 0;
    print_bar(timings[way].name + what, ratio, ">=", least, ratio >= least);
  };
  const char* const upload = ", to dense upload";
  const char* const round_trip = ", to round trip";
  bar(Ways::kFeaturesCoded, Ways::kDenseFeatures, upload, 3);
  bar(Ways::kFeaturesOnTheWay, Ways::kDenseFeatures, upload, 3);
  bar(Ways::kPicturesCoded, Ways::kRoundTrip, round_trip, 2);
  bar(Ways::kPicturesOnTheWay, Ways::kRoundTrip, round_trip, 2);
}

}  // namespace

void benchmark_idct_host(const IdctHostBenchmarkOptions& options) {
  const std::shared_ptr<Device> device = open_device(options.device);
  std::printf("%s: %s\n", options.device.c_str(), device->info().description.c_str());
  IdctHostWorkload work = make_workload(device, options);
  Ways all(device, work, options);
  std::printf(
      "%s: %zu macroblocks, %zu a picture, %.2f coded bytes each; chunks of %zu, depth %d\n",
      options.clip.empty() ? "synthetic queue" : options.clip.c_str(), work.count(),
      work.picture_size(), all.coded_bytes(), options.chunk_macroblocks, options.depth);
  std::vector<Contender> contenders;
  for (Way& way : all.ways()) {
    way.run();
    way.check();
    contenders.push_back({way.name, [&way] { way.report = way.run(); }});
  }
  const std::vector<Timing> timings = run_contest(contenders, options.seconds, options.rounds);
  std::printf("%-44s %8s %8s %7s  %6s %6s %6s %6s  %9s %4s %4s %4s %4s\n", "M macroblocks/s",
              "median", "best", "ratio", "B up", "B down", "GB/s", "GB/s", "coded", "prod", "up",
              "comp", "down");
  for (std::size_t i = 0; i < timings.size(); ++i) {
    print_row(all.ways()[i], timings[i], static_cast<double>(work.count()));
  }
  if (!device->info().shares_host_memory && !device->info().is_simulated) print_bars(timings);
}

}  // namespace millrace::tools
