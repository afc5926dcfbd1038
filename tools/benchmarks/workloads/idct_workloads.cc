// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/idct_workloads.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include <millrace/algorithms/idct/idct.h>
#include <millrace/algorithms/idct/paper/idct_strategies.h>
#include <millrace/algorithms/idct/stream/host_transform.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/input_hash.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_host_workload.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_workload.h>
#include <millrace/tools/benchmarks/workloads/limits.h>

namespace millrace::tools {
namespace {

using idct::Access;
using idct::PaperAlgorithm;

constexpr double kCoefficientBytes = idct::kMacroblockSamples * sizeof(std::int16_t);

InputHash hash_of(const idct::MacroblockQueue& queue) {
  InputHash hash;
  hash.add(std::span(queue.sizes, queue.count));
  hash.add(std::span(queue.coefficients, queue.count * idct::kMacroblockSamples));
  return hash;
}

// Macroblocks on the device.
class ResidentRuns {
 public:
  ResidentRuns(const std::shared_ptr<Device>& device, std::size_t count)
      : work_(device, count), queue_(device->make_queue()) {}

  static PreparedWork prepare(const std::shared_ptr<Device>& device, std::size_t count) {
    const auto runs = std::make_shared<ResidentRuns>(device, count);
    PreparedWork prepared{hash_of(runs->work_.on_host()).text(), {}};
    for (const Policy policy : kAllPolicies) {
      prepared.runs.push_back(with(runs, to_string(policy), "tasks", [=](ResidentRuns& all) {
        idct::inverse_transform(*all.queue_, all.work_.on_device(), all.work_.device_residual(),
                                {.policy = policy});
      }));
    }
    for (const Access access : idct::kAccesses) {
      prepared.runs.push_back(with(runs, "", to_string(access), [=](ResidentRuns& all) {
        idct::inverse_transform_with(*all.queue_, access, all.work_.on_device(),
                                     all.work_.device_residual());
      }));
    }
    return prepared;
  }

 private:
  template <class Transform>
  static WorkRun with(const std::shared_ptr<ResidentRuns>& runs, const std::string& policy,
                      const std::string& strategy, const Transform& transform) {
    return {.policy = policy,
            .strategy = strategy,
            .check =
                [=] {
                  runs->work_.spoil_device(*runs->queue_);
                  transform(*runs);
                  runs->work_.check_device(*runs->queue_);
                  return runs->amount();
                },
            .run = [=] { return seconds_of([&] { transform(*runs); }); }};
  }

  RunAmount amount() const {
    const auto count = static_cast<double>(work_.count());
    const double bytes = 2 * kCoefficientBytes * count;
    return {count, bytes, copy_limit_of(bytes)};
  }

  IdctWorkload work_;
  const std::unique_ptr<Queue> queue_;
};

enum class ComesBack { kResidual, kPicture };

constexpr char kWhole[] = "whole";
constexpr char kStreamed[] = "streamed";
constexpr char kStreamedCoded[] = "streamed+coded";
constexpr char kStreamedMeasured[] = "streamed+measured";

std::string paper_name(PaperAlgorithm algorithm, Access access) {
  return std::string("paper-") + to_string(algorithm) + '+' + to_string(access);
}

// Macroblocks in host memory, of pictures of this many.
class HostRuns {
 public:
  HostRuns(const std::shared_ptr<Device>& device, IdctHostWorkload work)
      : work_(std::move(work)),
        device_(device),
        queue_(device->make_queue()),
        raw_(device, {.codec = CodecUse::kRaw}) {}

  static PreparedWork prepare(const std::shared_ptr<Device>& device, IdctHostWorkload work,
                              ComesBack back) {
    const auto runs = std::make_shared<HostRuns>(device, std::move(work));
    PreparedWork prepared;
    prepared.input_hash = hash_of(runs->work_.queue()).text();
    if (back == ComesBack::kResidual) add_whole(runs, prepared.runs);
    prepared.runs.push_back(streamed(runs, kStreamed, CodecUse::kRaw, back));
    prepared.runs.push_back(streamed(runs, kStreamedCoded, CodecUse::kCoded, back));
    prepared.runs.push_back(streamed(runs, kStreamedMeasured, CodecUse::kMeasured, back));
    return prepared;
  }

 private:
  using Runs = std::shared_ptr<HostRuns>;

  // All at once, by the runtime's policies and by the paper's algorithms.
  static void add_whole(const Runs& runs, std::vector<WorkRun>& to) {
    for (const Policy policy : kAllPolicies) {
      to.push_back(whole(runs, to_string(policy), kWhole, [=](HostRuns& all) {
        idct::inverse_transform_host(*all.queue_, all.work_.queue(), all.work_.residual(),
                                     {.policy = policy});
      }));
    }
    for (const PaperAlgorithm algorithm : idct::kPaperAlgorithms) {
      for (const Access access : idct::kAccesses) {
        to.push_back(whole(runs, "", paper_name(algorithm, access), [=](HostRuns& all) {
          idct::inverse_transform_paper(*all.queue_, algorithm, access, all.work_.queue(),
                                        all.work_.residual());
        }));
      }
    }
  }

  template <class Transform>
  static WorkRun whole(const Runs& runs, const std::string& policy, const std::string& strategy,
                       const Transform& transform) {
    return {.policy = policy,
            .strategy = strategy,
            .check =
                [=] {
                  transform(*runs);
                  runs->work_.check_residual();
                  return runs->amount(runs->raw_bytes(), kCoefficientBytes);
                },
            .run = [=] { return seconds_of([&] { transform(*runs); }); }};
  }

  static WorkRun streamed(const Runs& runs, const char* strategy, CodecUse use, ComesBack back) {
    const auto transform = std::make_shared<std::optional<idct::HostTransform>>();
    const auto stream = [=] {
      idct::HostTransform& chosen = use == CodecUse::kRaw ? runs->raw_ : transform->value();
      return runs->run(chosen, back);
    };
    return {.strategy = strategy,
            .check =
                [=] {
                  if (use != CodecUse::kRaw) {
                    runs->require_link();
                    transform->emplace(runs->device_, idct::HostTransformOptions{.codec = use});
                  }
                  const PipelineReport report = stream();
                  if (back == ComesBack::kResidual) {
                    runs->work_.check_residual();
                  } else {
                    runs->work_.check_output();
                  }
                  return runs->amount(
                      static_cast<double>(report.bytes_up),
                      back == ComesBack::kResidual ? kCoefficientBytes : idct::kMacroblockSamples);
                },
            .run = [=] { return seconds_of(stream); },
            .is_streamed = true};
  }

  PipelineReport run(idct::HostTransform& transform, ComesBack back) {
    if (back == ComesBack::kResidual) return transform.residual(work_.queue(), work_.residual());
    return transform.reconstruct(work_.queue(), {work_.device_prediction(), MemorySpace::kDevice},
                                 work_.output());
  }

  void require_link() const {
    if (!device_->info().shares_host_memory) return;
    throw Error(ErrorCode::kUnsupported, "nothing goes over a link that could be coded");
  }

  double raw_bytes() const { return (kCoefficientBytes + 1) * static_cast<double>(work_.count()); }

  // The link's busier way bounds it, or the memory where there is no link.
  RunAmount amount(double bytes_up, double bytes_back) const {
    const auto count = static_cast<double>(work_.count());
    const double down = bytes_back * count;
    if (device_->info().shares_host_memory) {
      const double bytes = raw_bytes() + down;
      return {count, bytes, copy_limit_of(bytes)};
    }
    if (bytes_up >= down) return {count, bytes_up, kUploadLimit};
    return {count, down, kDownloadLimit};
  }

  IdctHostWorkload work_;
  const std::shared_ptr<Device> device_;
  const std::unique_ptr<Queue> queue_;
  idct::HostTransform raw_;
};

// Pictures of 1920x1088, or for few macroblocks one of a row.
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
  workload.strategies = {kStreamed, kStreamedCoded, kStreamedMeasured};
  if (back == ComesBack::kResidual) {
    workload.strategies.emplace_back(kWhole);
    for (const PaperAlgorithm algorithm : idct::kPaperAlgorithms) {
      for (const Access access : idct::kAccesses) {
        workload.strategies.push_back(paper_name(algorithm, access));
      }
    }
  }
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

std::vector<Workload> idct_workloads() {
  Workload resident;
  resident.name = "idct";
  resident.what = "H.264 inverse transforms of macroblocks in device memory";
  resident.item_name = "macroblocks";
  resident.inputs = {"mixed"};
  resident.strategies = {"tasks"};
  for (const Access access : idct::kAccesses) resident.strategies.emplace_back(to_string(access));
  resident.sizes = SizeChoice{
      .cpu = {8'160, 262'144}, .gpu = {8'160, 1'000'000}, .quick = 32'640, .simulated = 100};
  resident.size_rule = "is at most 100000000";
  resident.is_size = [](std::uint64_t size) { return size <= 100'000'000; };
  resident.prepare = [](const std::shared_ptr<Device>& device, const std::string&,
                        std::uint64_t size) { return ResidentRuns::prepare(device, size); };
  return {resident,
          host_workload("idct-host", "the same, from host memory and back", ComesBack::kResidual),
          host_workload("idct-host-picture", "the same, with a prediction, and pictures back",
                        ComesBack::kPicture)};
}

}  // namespace millrace::tools
