// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/host/nearest_name.h>
#include <millrace/tools/benchmarks/workloads/all/workloads.h>
#include <millrace/tools/benchmarks/workloads/auto/auto_workloads.h>
#include <millrace/tools/benchmarks/workloads/copies/both_ways_workload.h>
#include <millrace/tools/benchmarks/workloads/copies/copy_workloads.h>
#include <millrace/tools/benchmarks/workloads/copies/host_copy_workload.h>
#include <millrace/tools/benchmarks/workloads/copies/launch_workload.h>
#include <millrace/tools/benchmarks/workloads/copies/memory_pool_workload.h>
#include <millrace/tools/benchmarks/workloads/device_workloads.h>
#include <millrace/tools/benchmarks/workloads/h264/h264_workloads.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_workloads.h>
#include <millrace/tools/benchmarks/workloads/joins/join_workloads.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_workloads.h>
#include <millrace/tools/benchmarks/workloads/rd/rd_workload.h>
#include <millrace/tools/benchmarks/workloads/registered_workloads.h>
#include <millrace/tools/benchmarks/workloads/sort/sort_workloads.h>
#include <millrace/tools/benchmarks/workloads/task_bench/task_bench_workload.h>
#include <millrace/tools/benchmarks/workloads/tasks/deadline_workload.h>
#include <millrace/tools/benchmarks/workloads/tasks/stress_workload.h>
#include <millrace/tools/benchmarks/workloads/tasks/sum_workloads.h>
#include <millrace/tools/benchmarks/workloads/tasks/task_workloads.h>
#include <millrace/tools/benchmarks/workloads/tasks/tree_workloads.h>
#include <millrace/tools/benchmarks/workloads/three_star/three_star_workloads.h>

#include <algorithm>
#include <iterator>

namespace millrace::tools {
namespace {

bool names_one(const std::string& word, const std::vector<Workload>& workloads) {
  return std::ranges::find(workloads, word, &Workload::name) != workloads.end();
}

// True if `word` chooses the workload: by its name, or by the beginning of its name up to a '-'. A
// word that is one's name is not the beginning of another's.
bool names(const std::string& word, const Workload& workload,
           const std::vector<Workload>& workloads) {
  return workload.name == word ||
         (workload.name.starts_with(word + '-') && !names_one(word, workloads));
}

std::string names_of(const std::vector<Workload>& workloads) {
  std::string names;
  for (const Workload& workload : workloads) names += (names.empty() ? "" : ", ") + workload.name;
  return names;
}

// Returns "; did you mean 'sort'?", or "" if no name or beginning of a name is near.
std::string suggested_workload(const std::string& word, const std::vector<Workload>& workloads) {
  std::vector<std::string> words;
  for (const Workload& workload : workloads) words.push_back(workload.name);
  for (const Workload& workload : workloads) {
    for (std::size_t dash = workload.name.find('-'); dash != std::string::npos;
         dash = workload.name.find('-', dash + 1)) {
      words.push_back(workload.name.substr(0, dash));
    }
  }
  return suggestion(word, words);
}

}  // namespace

std::vector<Workload> all_workloads() {
  std::vector<Workload> all;
  for (auto* const some : {&idct_workloads,
                           &motion_workloads,
                           &sort_workloads,
                           &three_star_workloads,
                           &task_workloads,
                           &tree_workloads,
                           &deadline_workloads,
                           &sum_workloads,
                           &stress_workloads,
                           &example_workloads,
                           &join_workloads,
                           &task_bench_workloads,
                           &auto_algorithm_workloads,
                           &auto_queue_workloads,
                           &copy_workloads,
                           &launch_workloads,
                           &both_ways_workloads,
                           &host_copy_workloads,
                           &memory_pool_workloads,
                           &pipeline_workloads,
                           &codec_workloads,
                           &group_workloads,
                           &rank_workloads,
                           &h264_workloads,
                           &rd_workloads,
                           &registered_workloads}) {
    std::ranges::move(some(), std::back_inserter(all));
  }
  return all;
}

std::vector<Workload> choose_workloads(const std::vector<Workload>& workloads,
                                       const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (std::ranges::any_of(workloads,
                            [&](const Workload& each) { return names(word, each, workloads); })) {
      continue;
    }
    reject("no workload '" + word + "'; there are: " + names_of(workloads) +
           suggested_workload(word, workloads));
  }
  std::vector<Workload> chosen;
  std::ranges::copy_if(workloads, std::back_inserter(chosen), [&](const Workload& workload) {
    return words.empty() || std::ranges::any_of(words, [&](const std::string& word) {
             return names(word, workload, workloads);
           });
  });
  return chosen;
}

}  // namespace millrace::tools
