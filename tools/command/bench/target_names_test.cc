// SPDX-License-Identifier: Apache-2.0

// The project's own targets are for workloads, inputs, sizes and strategies that exist.
#include <millrace/tools/benchmarks/workloads/all/workloads.h>
#include <millrace/tools/report/targets/targets.h>

#include <fnmatch.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

bool has(const std::vector<std::string>& names, const std::optional<std::string>& pattern) {
  return !pattern || std::ranges::any_of(names, [&](const std::string& name) {
    return fnmatch(pattern->c_str(), name.c_str(), 0) == 0;
  });
}

bool has_policy(const std::optional<std::string>& pattern) {
  std::vector<std::string> names;
  for (const Policy policy : kAllPolicies) names.emplace_back(to_string(policy));
  return has(names, pattern);
}

// Returns the workloads that a contender may be of.
std::vector<Workload> workloads_of(const ContenderPattern& pattern) {
  std::vector<Workload> all = all_workloads();
  std::erase_if(all, [&](const Workload& each) { return !has({each.name}, pattern.workload); });
  return all;
}

// Clips have names of their own, which a target describes by a pattern that begins with *.
bool may_be_clip(const Workload& workload, const std::optional<std::string>& pattern) {
  return workload.takes_clips && pattern && pattern->starts_with('*');
}

void expect_exists(const ContenderPattern& pattern, const std::string& where) {
  const std::vector<Workload> workloads = workloads_of(pattern);
  EXPECT_FALSE(workloads.empty()) << where << ": no workload '" << *pattern.workload << "'";
  EXPECT_TRUE(has_policy(pattern.policy)) << where << ": no policy '" << *pattern.policy << "'";
  for (const Workload& workload : workloads) {
    EXPECT_TRUE(has(workload.inputs, pattern.input) || may_be_clip(workload, pattern.input))
        << where << ": no input of " << workload.name;
    EXPECT_TRUE(has(workload.strategies, pattern.strategy))
        << where << ": no strategy of " << workload.name;
    EXPECT_TRUE(!pattern.size || !workload.is_size || workload.is_size(*pattern.size))
        << where << ": no size of " << workload.name;
  }
}

TEST(TargetNames, Exist) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tools/benchmarks/targets")) {
    if (entry.path().extension() != ".json") continue;
    ++files;
    const TargetSet set = read_targets(entry.path().string());
    for (std::size_t i = 0; i < set.targets.size(); ++i) {
      const Target& target = set.targets[i];
      const std::string where = set.file + ", target " + std::to_string(i);
      expect_exists(target.of, where);
      if (target.figure != FigureKind::kRatio) continue;
      ContenderPattern other = target.to;
      if (!other.workload) other.workload = target.of.workload;
      expect_exists(other, where);
    }
  }
  EXPECT_GE(files, 3);
}

}  // namespace
}  // namespace millrace::tools
