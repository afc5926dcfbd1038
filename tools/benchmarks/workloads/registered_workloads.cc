// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/registered_workloads.h>

#include <algorithm>
#include <iterator>

namespace millrace::tools {
namespace {

using Make = std::vector<Workload> (*)();

std::vector<Make>& registry() {
  static std::vector<Make> instance;
  return instance;
}

}  // namespace

RegisterWorkloads::RegisterWorkloads(Make make) { registry().push_back(make); }

std::vector<Workload> registered_workloads() {
  std::vector<Workload> all;
  for (const Make make : registry()) std::ranges::move(make(), std::back_inserter(all));
  std::ranges::sort(all, {}, &Workload::name);
  return all;
}

}  // namespace millrace::tools
