// SPDX-License-Identifier: Apache-2.0

#include MILLRACE_TARGET
#include <millrace/docs/examples/waiting/count_paths.h>
#include <millrace/docs/examples/waiting/extend_path.h>
#include <millrace/docs/examples/waiting/graph.h>
#include <millrace/docs/examples/waiting/sum_array.h>

const millrace::target::RegisterTasks<SumTasks> registered_sums;
const millrace::target::RegisterTasks<GraphTasks> registered_graphs;
const millrace::target::RegisterTasks<PathTasks> registered_paths;
const millrace::target::RegisterTasks<RoadTasks> registered_roads;
