// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/drivers/motion/motion_benchmark.h>

#include <hwy/targets.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/host_cores.h>
#include <millrace/tools/benchmarks/harness/contest.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_clip.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_peer.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_runs.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_workload.h>

namespace millrace::tools {
namespace {

using motion::Precision;

constexpr std::uint32_t kSeed = 20130601;

// The instruction sets that Highway may use; 0: all there are.
void limit_targets(std::int64_t targets) {
  hwy::SetSupportedTargetsForTest(targets);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

// Better targets are lower bits.
std::int64_t best_of(std::int64_t targets) { return targets & -targets; }

// A way to search pictures: its options, the workload that does it, and the report of its run.
struct MotionWay {
  Precision precision = Precision::kInteger;
  bool is_streamed = false;  // From host memory and back.
  int threads = 0;           // 0: the device's.
  std::int64_t targets = 0;  // 0: all there are.
  std::shared_ptr<ResidentMotion> resident{};
  std::shared_ptr<StreamedMotion> streamed{};
  PipelineReport report{};

  void run(std::size_t searches) {
    if (is_streamed) {
      report = streamed->run(searches);
    } else {
      resident->run(searches);
    }
  }
  void check() {
    if (is_streamed) {
      streamed->check();
    } else {
      resident->check();
    }
  }
  std::string name() const { return is_streamed ? "through the device" : "on the device"; }
  std::string target_name() const { return targets == 0 ? "" : hwy::TargetName(best_of(targets)); }
};

// The rate in frames/s that a way is required to reach.
struct MotionBar {
  bool is_gpu;
  int width;
  int height;
  int range;
  Precision precision;
  bool is_avx2;
  double least;
};

// On CPUs of one thread and pictures in memory, on GPUs with all that goes up and comes down.
constexpr MotionBar kBars[] = {{false, 1920, 1088, 32, Precision::kInteger, false, 45},
                               {false, 1920, 1088, 32, Precision::kInteger, true, 12},
                               {false, 1920, 1088, 32, Precision::kQuarter, false, 24},
                               {true, 1920, 1088, 32, Precision::kInteger, false, 4000},
                               {true, 1280, 720, 32, Precision::kInteger, false, 9000},
                               {true, 640, 480, 32, Precision::kInteger, false, 25000},
                               {true, 1920, 1088, 32, Precision::kQuarter, false, 2400},
                               {true, 1280, 720, 32, Precision::kQuarter, false, 5300},
                               {true, 640, 480, 32, Precision::kQuarter, false, 14500},
                               {true, 3840, 2160, 64, Precision::kQuarter, false, 140}};

// One size and range.
class MotionTable {
 public:
  MotionTable(std::shared_ptr<Device> device, const MotionWorkload& workload, int range,
              const MotionBenchmarkOptions& options)
      : device_(std::move(device)),
        info_(device_->info()),
        workload_(workload),
        range_(range),
        options_(options),
        is_cpu_(info_.shares_host_memory),
        searches_(options.pictures != 0 ? options.pictures
                                        : searches_of(info_, workload.macroblocks())) {
    for (const Precision precision : options.precisions) add_ways(precision);
  }

  void measure(std::ofstream& csv) {
    std::printf("\n%dx%d, range %d, %zu pictures of %zu macroblocks\n", workload_.width(),
                workload_.height(), range_, searches_, workload_.macroblocks());
    std::vector<Contender> contenders;
    for (MotionWay& way : ways_) {
      limit_targets(way.targets);
      way.check();
      contenders.push_back({.name = way.name(),
                            .run = [this, &way] { way.run(searches_); },
                            .prepare = [&way] { limit_targets(way.targets); }});
    }
    const auto timings = run_contest(contenders, options_.seconds, options_.rounds);
    limit_targets(0);
    std::printf("%-9s %-18s %7s %-8s %10s %10s %8s %8s %8s %6s\n", "precision", "frames go",
                "threads", "target", "frames/s", "best", "G pos/s", "KiB up", "KiB down", "ratio");
    for (std::size_t i = 0; i < ways_.size(); ++i) print(ways_[i], timings[i], csv);
    for (std::size_t i = 0; i < ways_.size(); ++i) print_bars(i, timings);
    if (!options_.x264.empty()) measure_x264();
  }

 private:
  double positions() const {
    return 4.0 * range_ * range_ * static_cast<double>(workload_.macroblocks());
  }

  void add_ways(Precision precision) {
    if (!is_cpu_) {
      add_way({.precision = precision});
      add_way({.precision = precision, .is_streamed = true});
      return;
    }
    for (const int threads : {1, 2}) {
      if (threads > host_cores().usable) continue;
      add_way({.precision = precision, .threads = threads});
      add_way({.precision = precision, .is_streamed = true, .threads = threads});
    }
    const std::int64_t supported = hwy::SupportedTargets();
    const std::int64_t slower = supported & ~(std::int64_t{HWY_AVX2} - 1);
    if (slower == supported) return;
    add_way({.precision = precision, .threads = 1, .targets = slower});
  }

  void add_way(MotionWay way) {
    const motion::SearchOptions search{.range = range_, .precision = way.precision};
    const QueueOptions queue{.concurrency = way.threads};
    if (way.is_streamed) {
      way.streamed = std::make_shared<StreamedMotion>(
          device_, workload_, motion::EstimatorOptions{.search = search, .queue = queue});
    } else {
      way.resident = std::make_shared<ResidentMotion>(device_, workload_, queue, search);
    }
    ways_.push_back(std::move(way));
  }

  void print(const MotionWay& way, const Timing& timing, std::ofstream& csv) const {
    const auto searches = static_cast<double>(searches_);
    const double rate = searches / timing.median_seconds;
    const double best = searches / timing.best_seconds;
    const auto kib = [&](std::uint64_t bytes) {
      return static_cast<double>(bytes) / (searches + 1) / 1024;
    };
    const std::string threads = way.threads == 0 ? "-" : std::to_string(way.threads);
    std::printf("%-9s %-18s %7s %-8s %10.2f %10.2f %8.2f %8.0f %8.0f %6.2f\n",
                name_of(way.precision), way.name().c_str(), threads.c_str(),
                way.target_name().c_str(), rate, best, rate * positions() / 1e9,
                kib(way.report.bytes_up), kib(way.report.bytes_down), 1 / timing.ratio_to_first);
    if (!csv.is_open()) return;
    csv << info_.name << ',' << workload_.width() << ',' << workload_.height() << ',' << range_
        << ',' << name_of(way.precision) << ',' << way.name() << ',' << way.threads << ','
        << way.target_name() << ',' << searches_ << ',' << rate << ',' << best << ','
        << rate * positions() << ',' << way.report.bytes_up << ',' << way.report.bytes_down << '\n';
  }

  void print_bars(std::size_t place, const std::vector<Timing>& timings) const {
    const MotionWay& way = ways_[place];
    const double rate = static_cast<double>(searches_) / timings[place].median_seconds;
    const std::string what = std::string(name_of(way.precision)) + ' ' + way.name();
    for (const MotionBar& bar : kBars) {
      if (bar.is_gpu == is_cpu_ || info_.is_simulated || bar.is_gpu != way.is_streamed) continue;
      if (bar.width != workload_.width() || bar.height != workload_.height()) continue;
      if (bar.range != range_ || bar.precision != way.precision) continue;
      if (!bar.is_gpu && (way.threads != 1 || bar.is_avx2 != (way.targets != 0))) continue;
      print_bar(what + (bar.is_avx2 ? " by AVX2" : "") + ", frames/s", rate, ">=", bar.least,
                rate >= bar.least);
    }
    if (way.threads != 2) return;
    // The same by one thread is two rows above.
    const double ratio = timings[place - 2].ratio_to_first / timings[place].ratio_to_first;
    constexpr double kLeast = 1.8;
    print_bar(what + ", two threads to one", ratio, ">=", kLeast, ratio >= kLeast);
  }

  // Beside one thread that searches quarter samples.
  void measure_x264() {
    const auto own = std::find_if(ways_.begin(), ways_.end(), [](const MotionWay& way) {
      return way.precision == Precision::kQuarter && way.is_streamed && way.threads <= 1;
    });
    if (own == ways_.end()) return;
    // x264 takes minutes for the pictures that a GPU searches in half a second.
    constexpr std::size_t kMostMacroblocks = 4'000'000;
    const std::size_t pictures =
        std::min(searches_, kMostMacroblocks / workload_.macroblocks() + 3);
    const MotionPeer peer(options_.x264, workload_, pictures, range_);
    const auto timings =
        run_contest({{"search", [&] { own->run(pictures); }}, {"x264", [&] { peer.run(); }}},
                    options_.seconds, options_.rounds);
    const auto rate = [&](std::size_t place) {
      return static_cast<double>(pictures) / timings[place].median_seconds;
    };
    std::printf(
        "%s\n  a whole encoder, and no full search of all partitions: %.2f frames/s; this search, "
        "and no encoder: %.2f\n",
        peer.command().c_str(), rate(1), rate(0));
  }

  const std::shared_ptr<Device> device_;
  const DeviceInfo& info_;
  const MotionWorkload& workload_;
  const int range_;
  const MotionBenchmarkOptions& options_;
  const bool is_cpu_;
  const std::size_t searches_;
  std::vector<MotionWay> ways_;
};

}  // namespace

const char* name_of(Precision precision) {
  switch (precision) {
    case Precision::kInteger: return "integer";
    case Precision::kHalf: return "half";
    case Precision::kQuarter: return "quarter";
  }
  return "";
}

std::vector<PictureSize> picture_sizes(const std::vector<std::string>& texts) {
  std::vector<PictureSize> sizes;
  for (const std::string& text : texts) {
    PictureSize size;
    int length = 0;
    const int read = std::sscanf(text.c_str(), "%5dx%5d%n", &size.width, &size.height, &length);
    if (read != 2 || length != static_cast<int>(text.size()) || size.width < 1 || size.height < 1) {
      throw Error(ErrorCode::kInvalidArgument, text + " is no size; one is such as 1920x1080");
    }
    sizes.push_back(size);
  }
  return sizes;
}

void benchmark_motion(const MotionBenchmarkOptions& options) {
  const std::shared_ptr<Device> device = open_device(options.device);
  std::ofstream csv;
  if (!options.csv.empty()) {
    csv.open(options.csv);
    if (!csv) throw Error(ErrorCode::kIo, "cannot write " + options.csv);
    csv << "device,width,height,range,precision,frames,threads,target,pictures,frames_per_s,"
           "best_frames_per_s,positions_per_s,bytes_up,bytes_down\n";
  }
  std::printf("%s: %s\n", options.device.c_str(), device->info().description.c_str());
  const auto measure = [&](const MotionWorkload& workload) {
    for (const int range : options.ranges) {
      MotionTable(device, workload, range, options).measure(csv);
    }
  };
  constexpr std::size_t kDistinct = 8;
  if (!options.clip.empty()) {
    std::printf("%s\n", options.clip.c_str());
    return measure(motion_workload_of_clip(device, options.clip, kDistinct));
  }
  for (const PictureSize& size : options.sizes) {
    MotionWorkload workload(device, size.width, size.height, kDistinct);
    workload.fill_with_texture(kSeed);
    measure(workload);
  }
}

}  // namespace millrace::tools
