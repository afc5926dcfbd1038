// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/idct/idct_paper_runs.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include <millrace/algorithms/idct/idct.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/contest.h>
#include <millrace/tools/benchmarks/harness/statistics.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_workload.h>

namespace millrace::tools {
namespace {

using idct::Access;
using idct::PaperAlgorithm;
using idct::PaperTimes;

PaperTimes medians(const std::vector<PaperTimes>& times) {
  PaperTimes result;
  for (const IdctPhase phase : kIdctPhases) {
    std::vector<double> values;
    for (const PaperTimes& each : times) values.push_back(each.*phase);
    result.*phase = median(std::move(values));
  }
  return result;
}

std::vector<Access> accesses_within(const IdctPaperLimits& limits) {
  std::vector<Access> accesses;
  if (!limits.paper.empty()) return accesses;
  std::ranges::copy(idct::kAccesses, std::back_inserter(accesses));
  if (!limits.textures.empty()) std::erase(accesses, Access::kSharedTexture);
  return accesses;
}

// All ways to transform one workload, each checked when it is added.
class Ways {
 public:
  Ways(Queue& queue, IdctWorkload& workload, const IdctPaperLimits& limits)
      : queue_(queue), workload_(workload) {
    const std::vector<Access> accesses = accesses_within(limits);
    for (const PaperAlgorithm algorithm : idct::kPaperAlgorithms) {
      for (const Access access : accesses) add_paper(algorithm, access);
    }
    for (const Policy policy : kConcretePolicies) add_host_policy(policy);
    for (const Access access : accesses) add_strategy(access);
    for (const Policy policy : kConcretePolicies) add_device_policy(policy);
  }

  std::vector<IdctPaperLine> measure(double seconds, std::size_t least_rounds) {
    std::vector<IdctPaperLine> lines;
    const std::vector<Timing> timings = run_contest(contenders_, seconds, least_rounds);
    for (std::size_t i = 0; i < timings.size(); ++i) {
      const auto phases = phases_.find(i);
      lines.push_back({variants_[i], workload_.count(), timings[i].median_seconds,
                       phases == phases_.end() ? PaperTimes{} : medians(phases->second)});
    }
    return lines;
  }

 private:
  void add(const IdctVariant& variant, std::function<void()> run) {
    contenders_.push_back({variant.name(), std::move(run)});
    variants_.push_back(variant);
  }

  void add_on_host(const IdctVariant& variant, const std::function<void()>& run) {
    workload_.spoil_host();
    run();
    workload_.check_host();
    add(variant, run);
  }

  void add_on_device(const IdctVariant& variant, const std::function<void()>& run) {
    workload_.spoil_device(queue_);
    run();
    workload_.check_device(queue_);
    add(variant, run);
  }

  void add_paper(PaperAlgorithm algorithm, Access access) {
    std::vector<PaperTimes>& phases = phases_[contenders_.size()];
    add_on_host(paper_variant(algorithm, access), [this, algorithm, access, &phases] {
      inverse_transform_paper(queue_, algorithm, access, workload_.on_host(),
                              workload_.host_residual(), &phases.emplace_back());
    });
  }

  void add_host_policy(Policy policy) {
    add_on_host(policy_variant("host", policy), [this, policy] {
      inverse_transform_host(queue_, workload_.on_host(), workload_.host_residual(),
                             {.policy = policy});
    });
  }

  void add_strategy(Access access) {
    add_on_device({"device", "one kernel", to_string(access)}, [this, access] {
      inverse_transform_with(queue_, access, workload_.on_device(), workload_.device_residual());
    });
  }

  void add_device_policy(Policy policy) {
    add_on_device(policy_variant("device", policy), [this, policy] {
      inverse_transform(queue_, workload_.on_device(), workload_.device_residual(),
                        {.policy = policy});
    });
  }

  Queue& queue_;
  IdctWorkload& workload_;
  std::vector<IdctVariant> variants_;
  std::vector<Contender> contenders_;
  std::map<std::size_t, std::vector<PaperTimes>> phases_;  // By the contender's place.
};

// The reason for which the paper's uberkernel rejects even an empty queue; empty if it runs.
std::string reason_against(Queue& queue, Access access) {
  std::int16_t residual = 0;
  try {
    inverse_transform_paper(queue, PaperAlgorithm::kUberkernel, access, {}, &residual);
    return "";
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kUnsupported) throw;
    return error.what();
  }
}

}  // namespace

IdctVariant paper_variant(PaperAlgorithm algorithm, Access access) {
  return {"host", to_string(algorithm), to_string(access)};
}

IdctVariant policy_variant(const std::string& data, Policy policy) {
  return {data, std::string("policy ") + to_string(policy), "shared"};
}

IdctPaperLimits idct_paper_limits(Queue& queue) {
  const DeviceInfo& info = queue.device().info();
  if (info.warp_width == 1) {
    const std::string limit =
        "the paper's algorithms are kernels of GPUs, and " + info.name + " is none";
    return {limit, limit};
  }
  return {reason_against(queue, Access::kGlobal), reason_against(queue, Access::kSharedTexture)};
}

std::vector<IdctPaperLine> measure_idct_paper(const std::shared_ptr<Device>& device,
                                              const IdctPaperLimits& limits, std::size_t count,
                                              double seconds, std::size_t least_rounds) {
  const auto queue = device->make_queue();
  IdctWorkload workload(device, count);
  return Ways(*queue, workload, limits).measure(seconds, least_rounds);
}

SizeSeries series_of(const std::vector<IdctPaperLine>& lines, const IdctVariant& variant,
                     const std::function<double(const IdctPaperLine&)>& seconds) {
  SizeSeries series;
  for (const IdctPaperLine& line : lines) {
    if (line.variant.name() == variant.name()) series[line.count] = seconds(line);
  }
  return series;
}

}  // namespace millrace::tools
