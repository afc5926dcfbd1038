// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/idct.h>
#include <millrace/algorithms/idct/stream/host_transform.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/device_limits.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_host_runs.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_host_workload.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_operations.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_workload.h>
#include <millrace/tools/benchmarks/workloads/idct/macroblock_hash.h>
#include <millrace/tools/benchmarks/workloads/pipeline_values.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

using idct::HostTransform;
using idct::HostTransformOptions;

enum class ComesBack { kResidual, kFeatures, kPicture };

constexpr char kWhole[] = "whole";
constexpr char kStreamedRaw[] = "streamed";
constexpr char kStreamedCoded[] = "streamed+coded";
constexpr char kStreamedMeasured[] = "streamed+measured";
constexpr char kCodedBefore[] = "coded-before";
constexpr char kCodedPredictionUp[] = "coded-before+prediction-up";

// Returns the strategies by which something comes back.
std::vector<std::string> strategies_of(ComesBack back) {
  std::vector<std::string> strategies = {kStreamedRaw, kStreamedCoded, kStreamedMeasured};
  if (back == ComesBack::kResidual) {
    strategies.emplace_back(kWhole);
  } else {
    strategies.emplace_back(kCodedBefore);
  }
  if (back == ComesBack::kPicture) strategies.emplace_back(kCodedPredictionUp);
  return strategies;
}

double bytes_of(ComesBack back) {
  switch (back) {
    case ComesBack::kResidual: return kCoefficientBytes;
    case ComesBack::kFeatures: return 0;  // Some bytes a picture.
    case ComesBack::kPicture: return idct::kMacroblockSamples;
  }
  return 0;
}

// Macroblocks in host memory.
class HostRuns {
 public:
  HostRuns(const std::shared_ptr<Device>& device, IdctHostWorkload work, ComesBack back)
      : work_(std::move(work)),
        back_(back),
        device_(device),
        queue_(device->make_queue()),
        raw_(device, {.codec = CodecUse::kRaw}) {}

  static PreparedWork prepare(const std::shared_ptr<Device>& device, IdctHostWorkload work,
                              ComesBack back) {
    const auto runs = std::make_shared<HostRuns>(device, std::move(work), back);
    PreparedWork prepared;
    prepared.input_hash = macroblock_hash(runs->work_.queue());
    if (back == ComesBack::kResidual) add_whole(runs, prepared.runs);
    prepared.runs.push_back(streamed(
        runs, kStreamedRaw, [] {}, [=] { return runs->stream(runs->raw_); }));
    prepared.runs.push_back(coding(runs, kStreamedCoded, CodecUse::kCoded));
    prepared.runs.push_back(coding(runs, kStreamedMeasured, CodecUse::kMeasured));
    if (back != ComesBack::kResidual) prepared.runs.push_back(coded_before(runs));
    if (back == ComesBack::kPicture) prepared.runs.push_back(prediction_up(runs));
    return prepared;
  }

 private:
  using Runs = std::shared_ptr<HostRuns>;

  // All at once, by the runtime's policies.
  static void add_whole(const Runs& runs, std::vector<WorkRun>& to) {
    for (const Policy policy : kAllPolicies) {
      const auto transform = [=] {
        idct::inverse_transform_host(*runs->queue_, runs->work_.queue(), runs->work_.residual(),
                                     {.policy = policy});
      };
      to.push_back({.policy = to_string(policy),
                    .strategy = kWhole,
                    .check =
                        [=] {
                          transform();
                          runs->work_.check_residual();
                          return runs->amount(runs->raw_bytes());
                        },
                    .run = [=] { return seconds_of(transform); }});
    }
  }

  // `make` makes what the first run of `stream` needs, and throws where the device cannot.
  static WorkRun streamed(const Runs& runs, const char* strategy, const std::function<void()>& make,
                          const std::function<PipelineReport()>& stream) {
    return {.strategy = strategy,
            .check =
                [=] {
                  make();
                  const PipelineReport report = stream();
                  runs->check();
                  RunAmount amount = runs->amount(static_cast<double>(report.bytes_up));
                  amount.values = pipeline_values(report, amount.items);
                  return amount;
                },
            .run = [=] { return seconds_of(stream); },
            .is_streamed = true};
  }

  static WorkRun coding(const Runs& runs, const char* strategy, CodecUse use) {
    const auto transform = std::make_shared<std::optional<HostTransform>>();
    return streamed(
        runs, strategy,
        [=] {
          runs->require_link();
          transform->emplace(runs->device_, HostTransformOptions{.codec = use});
        },
        [=] { return runs->stream(transform->value()); });
  }

  static WorkRun coded_before(const Runs& runs) {
    return streamed(
        runs, kCodedBefore, [=] { runs->make_coded(); },
        [=] {
          if (runs->back_ == ComesBack::kFeatures) return runs->features(runs->raw_, *runs->coded_);
          return runs->reconstruct(runs->raw_, *runs->coded_,
                                   {runs->work_.device_prediction(), MemorySpace::kDevice});
        });
  }

  static WorkRun prediction_up(const Runs& runs) {
    return streamed(
        runs, kCodedPredictionUp,
        [=] {
          runs->require_link();
          runs->make_coded();
        },
        [=] {
          return runs->reconstruct(runs->raw_, *runs->coded_,
                                   {runs->work_.prediction(), MemorySpace::kPinned});
        });
  }

  PipelineReport stream(HostTransform& transform) {
    switch (back_) {
      case ComesBack::kResidual: break;
      case ComesBack::kFeatures: return features(transform, work_.queue());
      case ComesBack::kPicture:
        return reconstruct(transform, work_.queue(),
                           {work_.device_prediction(), MemorySpace::kDevice});
    }
    return transform.residual(work_.queue(), work_.residual());
  }

  PipelineReport features(HostTransform& transform, const idct::HostInput& input) {
    return transform.features(input, work_.picture_size(), work_.features());
  }

  PipelineReport reconstruct(HostTransform& transform, const idct::HostInput& input,
                             const idct::HostPrediction& prediction) {
    return transform.reconstruct(input, prediction, work_.output());
  }

  void check() {
    switch (back_) {
      case ComesBack::kResidual: return work_.check_residual();
      case ComesBack::kFeatures: return work_.check_features();
      case ComesBack::kPicture: return work_.check_output();
    }
  }

  // Codes the queue in chunks of whole rows.
  void make_coded() {
    if (coded_) return;
    constexpr std::size_t kChunk = HostTransformOptions{}.chunk_macroblocks;
    coded_.emplace(*device_, work_.queue(), kChunk / work_.row_size() * work_.row_size());
  }

  void require_link() const {
    if (!device_->info().shares_host_memory) return;
    throw Error(ErrorCode::kUnsupported,
                "the device shares the host's memory, so nothing is copied over a link");
  }

  double raw_bytes() const { return (kCoefficientBytes + 1) * static_cast<double>(work_.count()); }

  // The link's busier way bounds it, or the memory where there is no link.
  RunAmount amount(double bytes_up) const {
    const auto count = static_cast<double>(work_.count());
    const double down = bytes_of(back_) * count;
    RunAmount amount{.items = count,
                     .operations = idct_operations(work_.sizes()),
                     .operation_limit = kAdditionLimit};
    if (device_->info().shares_host_memory) {
      amount.bytes = raw_bytes() + down;
      amount.limit = copy_limit_of(amount.bytes);
    } else {
      amount.bytes = std::max(bytes_up, down);
      amount.limit = bytes_up >= down ? kUploadLimit : kDownloadLimit;
    }
    return amount;
  }

  IdctHostWorkload work_;
  const ComesBack back_;
  const std::shared_ptr<Device> device_;
  const std::unique_ptr<Queue> queue_;
  HostTransform raw_;
  std::optional<idct::CodedQueue> coded_;
};

// Pictures of 1920x1088, or, for fewer macroblocks than one has, one picture of a row.
IdctHostWorkload synthetic(const std::shared_ptr<Device>& device, std::uint64_t size) {
  constexpr std::uint64_t kColumns = 120;
  constexpr std::uint64_t kRows = 68;
  if (size % (kColumns * kRows) == 0) {
    return IdctHostWorkload::synthetic(device, kColumns, kRows, size / (kColumns * kRows));
  }
  return IdctHostWorkload::synthetic(device, static_cast<int>(size), 1, 1);
}

Workload host_workload(const std::string& name, const std::string& what, ComesBack back) {
  Workload workload;
  workload.name = name;
  workload.what = what;
  workload.item_name = "macroblocks";
  workload.inputs = {"synthetic"};
  workload.takes_clips = true;
  workload.strategies = strategies_of(back);
  workload.sizes = SizeChoice{
      .cpu = {8'160, 163'200}, .gpu = {8'160, 1'305'600}, .quick = 32'640, .simulated = 96};
  constexpr std::uint64_t kMost = 16'320'000;  // 2000 pictures: 40 GB.
  workload.size_rule = "is a multiple of 8160 up to 16320000, or at most 2000";
  workload.is_size = [](std::uint64_t size) {
    return size <= kMost && (size % 8160 == 0 || size <= 2000);
  };
  workload.prepare = [back](const std::shared_ptr<Device>& device, const std::string& input,
                            std::uint64_t size) {
    if (input == "synthetic") return HostRuns::prepare(device, synthetic(device, size), back);
    constexpr std::size_t kPictures = 16;
    return HostRuns::prepare(device, IdctHostWorkload::of_clip(device, input, kPictures), back);
  };
  return workload;
}

}  // namespace

std::vector<Workload> idct_host_workloads() {
  return {host_workload("idct-host", "the same, from host memory and back", ComesBack::kResidual),
          host_workload("idct-host-features", "the same, and sums of each picture back",
                        ComesBack::kFeatures),
          host_workload("idct-host-picture", "the same, with a prediction, and pictures back",
                        ComesBack::kPicture)};
}

}  // namespace millrace::tools
