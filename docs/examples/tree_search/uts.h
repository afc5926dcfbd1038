// SPDX-License-Identifier: Apache-2.0

// Searches a tree of the unbalanced tree search benchmark, on one device or on several.
#ifndef MILLRACE_DOCS_EXAMPLES_TREE_SEARCH_UTS_H_
#define MILLRACE_DOCS_EXAMPLES_TREE_SEARCH_UTS_H_

#include <millrace/docs/examples/command/example_devices.h>
#include <millrace/docs/examples/tree_search/uts_definition.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/group/shared_tasks.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstdint>
#include <vector>

namespace millrace::examples {

struct UtsOptions {
  UtsTreeOptions tree = {};
  int granularity = 1;   // -g: times that each node is hashed, 1 to 1,000,000.
  int max_depth = 4096;  // Depths that are counted, 1 to 65,534; a deeper tree is an error.
  RunOptions run = {};
};

struct UtsResult {
  UtsCounts counts;
  std::vector<std::uint64_t> nodes_by_depth;  // Indexed by depth, 0 to counts.depth.
  RunReport report;                           // A task for each node below the root.
  std::vector<SharedDeviceReport> devices;    // One a device; with ranks, this one's.
};

// Throws kInvalidArgument for options out of range and for a tree deeper than max_depth, and what
// run_tasks throws. With ranks it is collective, and all have the same counts.
UtsResult search_uts(const ExampleDevices& devices, const UtsOptions& options);
UtsResult search_uts(Queue& queue, const UtsOptions& options);

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_TREE_SEARCH_UTS_H_
