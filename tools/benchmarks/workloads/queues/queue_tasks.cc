// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/tools/benchmarks/workloads/queues/flat_tasks.h>
#include <millrace/tools/benchmarks/workloads/queues/queue_tasks.h>

namespace millrace::tools {
namespace {

const target::RegisterTasks<ComputedTreeTasks<16>> registered_tree_16;
const target::RegisterTasks<ComputedTreeTasks<32>> registered_tree_32;
const target::RegisterTasks<ComputedTreeTasks<64>> registered_tree_64;
const target::RegisterTasks<ComputedTreeTasks<256>> registered_tree_256;
const target::RegisterTasks<ReadTreeTasks<TaskWidth::kLane>> registered_lane_leaves;
const target::RegisterTasks<ReadTreeTasks<TaskWidth::kWarp>> registered_warp_leaves;
const target::RegisterTasks<ReadTreeTasks<TaskWidth::kBlock>> registered_block_leaves;
const target::RegisterTasks<GeoTasks> registered_geo;
const target::RegisterTasks<BinTasks> registered_bin;
const target::RegisterTasks<CallTasks> registered_calls;
const target::RegisterTasks<ChainTasks> registered_chains;
const target::RegisterTasks<NothingTasks> registered_nothing;
const target::RegisterTasks<FlatTasks> registered_flat;
const target::RegisterTasks<CopyTasks> registered_copies;

}  // namespace
}  // namespace millrace::tools
