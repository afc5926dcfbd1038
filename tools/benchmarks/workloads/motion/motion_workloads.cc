// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/stream/pipeline_report.h>
#include <millrace/tools/benchmarks/harness/input_hash.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/motion/avx2_alone.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_clip.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_operations.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_paper_input.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_paper_workload.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_peer.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_quality_workload.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_workload.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_workloads.h>
#include <millrace/tools/benchmarks/workloads/motion/resident_motion.h>
#include <millrace/tools/benchmarks/workloads/motion/streamed_motion.h>
#include <millrace/tools/benchmarks/workloads/pipeline_values.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace millrace::tools {
namespace {

using motion::Precision;

constexpr int kRange = 32;
constexpr int kWideRange = 64;
constexpr std::size_t kDistinct = 8;
constexpr char kResident[] = "resident";
constexpr char kStreamed[] = "streamed";
constexpr char kResidentOneThread[] = "resident+one-thread";
constexpr char kStreamedOneThread[] = "streamed+one-thread";
constexpr char kResidentAvx2[] = "resident+one-thread+avx2";

// A picture size, which its number of macroblocks names.
struct PictureSize {
  std::uint64_t macroblocks;
  int width;
  int height;
};
constexpr PictureSize kPictureSizes[] = {
    {4, 32, 32},        {99, 176, 144},      {396, 352, 288},     {1'200, 640, 480},
    {3'600, 1280, 720}, {8'160, 1920, 1088}, {32'400, 3840, 2160}};

const PictureSize* find_size(std::uint64_t macroblocks) {
  const auto* const found =
      std::ranges::find(kPictureSizes, macroblocks, &PictureSize::macroblocks);
  return found == std::end(kPictureSizes) ? nullptr : found;
}

MotionWorkload make_work(const std::shared_ptr<Device>& device, const std::string& input,
                         std::uint64_t size) {
  if (input != kMotionTexture) return motion_workload_of_clip(device, input, kDistinct);
  const PictureSize& picture = *find_size(size);
  MotionWorkload work(device, picture.width, picture.height, kDistinct);
  constexpr std::uint32_t kSeed = 20130601;
  work.fill_with_texture(kSeed);
  return work;
}

// A range has so many times the positions of kRange.
std::size_t wider_by(int range) {
  const auto times = static_cast<std::size_t>(range / kRange);
  return times * times;
}

class MotionSearches {
 public:
  MotionSearches(std::shared_ptr<Device> device, MotionWorkload work,
                 const motion::SearchOptions& options)
      : device_(std::move(device)),
        work_(std::move(work)),
        options_(options),
        searches_(searches_of(device_->info(), work_.macroblocks() * wider_by(options.range))) {}

  static PreparedWork prepare(const std::shared_ptr<MotionSearches>& all) {
    PreparedWork prepared;
    const std::span<const std::uint8_t> samples(all->work_.picture(0),
                                                all->work_.samples() * all->work_.distinct());
    prepared.input_hash = InputHash().add(samples).text();
    prepared.runs = {resident(all, kResident, {}), streamed(all, kStreamed, {})};
    if (all->device_->info().shares_host_memory) add_cpu_runs(all, prepared.runs);
    return prepared;
  }

 private:
  using All = std::shared_ptr<MotionSearches>;

  // One thread, and an encoder of the host, which is no peer of a search on a GPU.
  static void add_cpu_runs(const All& all, std::vector<WorkRun>& runs) {
    const QueueOptions one_thread{.concurrency = 1};
    runs.push_back(resident(all, kResidentOneThread, one_thread));
    runs.push_back(streamed(all, kStreamedOneThread, one_thread));
    runs.push_back(by_avx2(resident(all, kResidentAvx2, one_thread)));
    if (all->options_.precision == Precision::kQuarter) runs.push_back(x264(all));
  }

  static WorkRun resident(const All& all, const char* strategy, const QueueOptions& queue) {
    const auto runs = std::make_shared<std::optional<ResidentMotion>>();
    return {.strategy = strategy,
            .check =
                [=] {
                  runs->emplace(all->device_, all->work_, queue, all->options_);
                  (*runs)->check();
                  return all->amount(all->bytes_in_memory());
                },
            .run = [=] { return seconds_of([&] { (*runs)->run(all->searches_); }); }};
  }

  static WorkRun by_avx2(WorkRun run) {
    run.check = [check = run.check] {
      const Avx2Alone alone;
      return check();
    };
    run.run = [run = run.run] {
      const Avx2Alone alone;
      return run();
    };
    return run;
  }

  static WorkRun streamed(const All& all, const char* strategy, const QueueOptions& queue) {
    const auto runs = std::make_shared<std::optional<StreamedMotion>>();
    return {.strategy = strategy,
            .check =
                [=] {
                  runs->emplace(all->device_, all->work_,
                                motion::EstimatorOptions{.search = all->options_, .queue = queue});
                  (*runs)->check();
                  const PipelineReport report = (*runs)->run(all->searches_);
                  const auto bytes = static_cast<double>(report.bytes_up + report.bytes_down);
                  RunAmount amount = all->amount(bytes > 0 ? bytes : all->bytes_in_memory());
                  amount.values = pipeline_values(report, amount.items);
                  return amount;
                },
            .run = [=] { return seconds_of([&] { (*runs)->run(all->searches_); }); },
            .is_streamed = true};
  }

  // It has no result that could be compared.
  static WorkRun x264(const All& all) {
    const auto peer = std::make_shared<std::optional<MotionPeer>>();
    return {.peer = "x264",
            .check =
                [=] {
                  peer->emplace("x264", all->work_, all->searches_, all->options_.range);
                  (*peer)->run();
                  return RunAmount{.items = all->amount(0).items};
                },
            .run = [=] { return seconds_of([&] { (*peer)->run(); }); },
            .is_checked = false};
  }

  RunAmount amount(double bytes) const {
    const auto macroblocks = static_cast<double>(searches_ * work_.macroblocks());
    return {.items = macroblocks,
            .bytes = bytes,
            .operations = macroblocks * motion_operations(options_)};
  }

  // A search reads its picture and the one before, and writes a vector and a cost for each
  // partition.
  double bytes_in_memory() const {
    constexpr std::size_t kFound = sizeof(motion::MotionVector) + sizeof(std::uint32_t);
    return static_cast<double>(
        searches_ * (2 * work_.samples() + work_.macroblocks() * motion::kPartitions * kFound));
  }

  const std::shared_ptr<Device> device_;
  const MotionWorkload work_;
  const motion::SearchOptions options_;
  const std::size_t searches_;
};

Workload motion_workload(const std::string& name, const std::string& what,
                         const motion::SearchOptions& options) {
  Workload workload;
  workload.name = name;
  workload.what = what;
  workload.item_name = "macroblocks";
  workload.inputs = {kMotionTexture};
  workload.takes_clips = true;
  workload.strategies = {kResident, kStreamed, kResidentOneThread, kStreamedOneThread,
                         kResidentAvx2};
  workload.sizes = SizeChoice{.cpu = {1'200, 3'600, 8'160},
                              .gpu = {1'200, 3'600, 8'160, 32'400},
                              .quick = 396,
                              .simulated = 4};
  workload.size_rule = "is a picture of 4, 99, 396, 1200, 3600, 8160 or 32400 macroblocks";
  workload.is_size = [](std::uint64_t size) { return find_size(size) != nullptr; };
  workload.prepare = [options](const std::shared_ptr<Device>& device, const std::string& input,
                               std::uint64_t size) {
    return MotionSearches::prepare(
        std::make_shared<MotionSearches>(device, make_work(device, input, size), options));
  };
  return workload;
}

Workload wide_workload() {
  Workload workload = motion_workload("motion-range-64",
                                      "the same, to quarter samples, four times as many positions",
                                      {.range = kWideRange, .precision = Precision::kQuarter});
  workload.sizes = SizeChoice{.cpu = {1'200}, .gpu = {8'160, 32'400}, .quick = 99, .simulated = 4};
  return workload;
}

}  // namespace

std::vector<Workload> motion_workloads() {
  const auto narrow = [](const char* name, const char* what, Precision precision) {
    return motion_workload(name, what, {.range = kRange, .precision = precision});
  };
  return {
      narrow("motion-integer", "full search of 41 partitions, whole samples", Precision::kInteger),
      narrow("motion-half", "the same, to half samples", Precision::kHalf),
      narrow("motion-quarter", "the same, to quarter samples", Precision::kQuarter),
      wide_workload(),
      motion_paper_workload(),
      motion_quality_workload()};
}

}  // namespace millrace::tools
