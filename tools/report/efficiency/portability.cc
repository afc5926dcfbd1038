// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/efficiency/figure_of_merit.h>
#include <millrace/tools/report/efficiency/portability.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

namespace millrace::tools {
namespace {

bool is_ok(const Entry& entry) { return entry.measurement->status == MeasurementStatus::kOk; }

bool is_compared(const MergedResults& merged, const Platform& platform) {
  const auto& devices = merged.machines[platform.machine].results.devices;
  const auto device = std::ranges::find(devices, platform.device, &DeviceRecord::name);
  return device != devices.end() && !device->is_simulated && device->members.empty();
}

// Strategies that a peer was timed under.
std::set<std::string> strategies_of_peers(const Group& group) {
  std::set<std::string> strategies;
  for (const Entry& entry : group.entries) {
    const Measurement& each = *entry.measurement;
    if (is_ok(entry) && !each.peer.empty() && !each.strategy.empty()) {
      strategies.insert(each.strategy);
    }
  }
  return strategies;
}

// Entries of one problem, on compared platforms only.
struct Problem {
  std::string strategy;
  std::vector<Entry> entries;
};

std::vector<Problem> problems_of(const MergedResults& merged, const Group& group) {
  const std::set<std::string> of_peers = strategies_of_peers(group);
  std::vector<Problem> problems;
  for (const Entry& entry : group.entries) {
    if (!is_compared(merged, entry.platform)) continue;
    const std::string& own = entry.measurement->strategy;
    const std::string strategy = of_peers.contains(own) ? own : "";
    auto problem = std::ranges::find(problems, strategy, &Problem::strategy);
    if (problem == problems.end()) problem = problems.insert(problem, {strategy, {}});
    problem->entries.push_back(entry);
  }
  std::erase_if(problems,
                [](const Problem& each) { return std::ranges::none_of(each.entries, is_ok); });
  return problems;
}

std::vector<Platform> platforms_of(const Problem& problem) {
  std::vector<Platform> platforms;
  for (const Entry& entry : problem.entries) {
    if (std::ranges::find(platforms, entry.platform) == platforms.end()) {
      platforms.push_back(entry.platform);
    }
  }
  return platforms;
}

std::set<std::uint64_t> timed_sizes(const Problem& problem, const Platform& platform) {
  std::set<std::uint64_t> sizes;
  for (const Entry& entry : problem.entries) {
    if (is_ok(entry) && entry.platform == platform) sizes.insert(entry.measurement->size);
  }
  return sizes;
}

// Returns the size of each platform; 0 where nothing was timed.
std::vector<std::uint64_t> chosen_sizes(const Problem& problem,
                                        const std::vector<Platform>& platforms) {
  std::vector<std::uint64_t> largest;
  std::set<std::uint64_t> common;
  for (const Platform& platform : platforms) {
    const std::set<std::uint64_t> sizes = timed_sizes(problem, platform);
    largest.push_back(sizes.empty() ? 0 : *sizes.rbegin());
    if (&platform == &platforms.front()) {
      common = sizes;
    } else {
      std::erase_if(common, [&](std::uint64_t size) { return !sizes.contains(size); });
    }
  }
  if (!common.empty()) largest.assign(platforms.size(), *common.rbegin());
  return largest;
}

// Returns the best of the measurements at that size on the platform that `is_chosen` takes; null if
// there is none.
template <class IsChosen>
const Measurement* best_at(const Problem& problem, const Platform& platform, std::uint64_t size,
                           const IsChosen& is_chosen) {
  const Measurement* best = nullptr;
  for (const Entry& entry : problem.entries) {
    const Measurement& each = *entry.measurement;
    if (!is_ok(entry) || !(entry.platform == platform) || each.size != size || !is_chosen(each)) {
      continue;
    }
    if (best == nullptr || ratio_of(figure_of_merit(each), figure_of_merit(*best)) > 1) {
      best = &each;
    }
  }
  return best;
}

void set_portability(PortableApplication& application) {
  std::vector<double> applications;
  std::vector<double> architectural;
  for (const PlatformEfficiency& each : application.platforms) {
    applications.push_back(each.application);
    if (each.architectural) architectural.push_back(*each.architectural);
  }
  application.application_pp = performance_portability(applications);
  const bool is_known = architectural.size() == applications.size();
  const bool is_unsupported = std::ranges::find(applications, 0.0) != applications.end();
  if (is_known || is_unsupported) {
    application.architectural_pp = is_unsupported ? 0 : performance_portability(architectural);
  }
}

template <class IsChosen>
PortableApplication application_of(const Problem& problem, const std::string& name,
                                   const std::vector<Platform>& platforms,
                                   const std::vector<std::uint64_t>& sizes,
                                   const IsChosen& is_chosen) {
  PortableApplication application{name, {}, 0, {}};
  const auto is_any = [](const Measurement&) { return true; };
  for (std::size_t i = 0; i < platforms.size(); ++i) {
    PlatformEfficiency efficiency{platforms[i], best_at(problem, platforms[i], sizes[i], is_chosen),
                                  0, 0.0};
    if (efficiency.measurement != nullptr) {
      const Measurement& best = *best_at(problem, platforms[i], sizes[i], is_any);
      efficiency.application =
          ratio_of(figure_of_merit(*efficiency.measurement), figure_of_merit(best));
      efficiency.architectural = efficiency.measurement->limit_fraction;
      // Limits are measured, too, and a figure may be a little over 1.
      if (efficiency.architectural)
        *efficiency.architectural = std::min(*efficiency.architectural, 1.0);
    }
    application.platforms.push_back(efficiency);
  }
  set_portability(application);
  return application;
}

void add_application(PortableApplication application, PortabilityProblem& result) {
  const bool is_timed = std::ranges::any_of(
      application.platforms, [](const auto& each) { return each.measurement != nullptr; });
  if (is_timed) result.applications.push_back(std::move(application));
}

PortabilityProblem portability_of(const Group& group, const Problem& problem) {
  PortabilityProblem result{group.workload, group.name(), platforms_of(problem), {}};
  if (!problem.strategy.empty()) result.name += ", " + problem.strategy;
  const std::vector<std::uint64_t> sizes = chosen_sizes(problem, result.platforms);
  add_application(application_of(problem, kBestOfMillrace, result.platforms, sizes,
                                 [](const Measurement& each) { return each.peer.empty(); }),
                  result);
  std::vector<std::string> names;
  for (const Entry& entry : problem.entries) {
    const std::string name = contender_of(*entry.measurement);
    if (std::ranges::find(names, name) != names.end()) continue;
    names.push_back(name);
    add_application(
        application_of(problem, name, result.platforms, sizes,
                       [&](const Measurement& each) { return contender_of(each) == name; }),
        result);
  }
  return result;
}

}  // namespace

double performance_portability(const std::vector<double>& efficiencies) {
  double sum = 0;
  for (const double efficiency : efficiencies) {
    if (efficiency <= 0) return 0;
    sum += 1 / efficiency;
  }
  return efficiencies.empty() ? 0 : static_cast<double>(efficiencies.size()) / sum;
}

std::vector<PortabilityProblem> portability_of(const MergedResults& merged,
                                               const std::vector<Group>& groups) {
  std::vector<PortabilityProblem> result;
  for (const Group& group : groups) {
    for (const Problem& problem : problems_of(merged, group)) {
      result.push_back(portability_of(group, problem));
    }
  }
  return result;
}

std::vector<double> cascade_of(const PortableApplication& application, EfficiencyKind kind) {
  std::vector<double> efficiencies;
  for (const PlatformEfficiency& each : application.platforms) {
    efficiencies.push_back(kind == EfficiencyKind::kApplication ? each.application
                                                                : each.architectural.value_or(0));
  }
  std::ranges::sort(efficiencies, std::greater<>());
  return efficiencies;
}

}  // namespace millrace::tools
