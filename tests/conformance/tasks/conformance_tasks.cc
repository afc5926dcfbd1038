// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/tests/conformance/tasks/conformance_tasks.h>
#include <millrace/tests/conformance/tasks/gate_tasks.h>
#include <millrace/tests/conformance/tasks/join_tasks.h>
#include <millrace/tests/conformance/tasks/layer_tasks.h>
#include <millrace/tests/conformance/tasks/level_tasks.h>
#include <millrace/tests/conformance/tasks/priority_tasks.h>
#include <millrace/tests/conformance/tasks/stop_tasks.h>
#include <millrace/tests/conformance/tasks/value_join_tasks.h>
#include <millrace/tests/conformance/tasks/width_tasks.h>

namespace millrace::conformance {
namespace {

// Sets of all kinds: types of several widths and sizes, scratch, failures, indexed items, joins,
// counters, priorities, levels.
const target::RegisterTasks<MarkTasks> registered_marks;
const target::RegisterTasks<FailingTasks> registered_failing;
const target::RegisterTasks<ScratchTasks> registered_scratch;
const target::RegisterTasks<IndexedSet> registered_indexed;
const target::RegisterTasks<WidthTasks> registered_widths;
const target::RegisterTasks<TogetherTasks> registered_together;
const target::RegisterTasks<FibonacciTasks> registered_fibonacci;
const target::RegisterTasks<LayerTasks> registered_layers;
const target::RegisterTasks<UrgentTasks> registered_urgent;
const target::RegisterTasks<WideLevelTasks> registered_wide_levels;
const target::RegisterTasks<LevelJoinTasks> registered_level_joins;
const target::RegisterTasks<CountedIndexedTasks> registered_counted_indexed;

// Device code that is only compiled to see that it compiles does without the rest.
#ifndef MILLRACE_UNOPTIMIZED
const target::RegisterTasks<TreeTasks> registered_trees;
const target::RegisterTasks<ChainTasks> registered_chains;
const target::RegisterTasks<FanOutTasks> registered_fan_outs;
const target::RegisterTasks<LargeScratchTasks> registered_large_scratch;
const target::RegisterTasks<AddTasks> registered_adds;
const target::RegisterTasks<LaneTasks> registered_lanes;
const target::RegisterTasks<GridTasks> registered_grids;
const target::RegisterTasks<FanInTasks> registered_fan_ins;
const target::RegisterTasks<RankedTasks> registered_ranked;
const target::RegisterTasks<JoinedFanInTasks> registered_joined_fan_ins;
const target::RegisterTasks<GrowingTasks> registered_growing;
const target::RegisterTasks<NestTasks> registered_nests;
const target::RegisterTasks<JoinLinkTasks> registered_join_links;
const target::RegisterTasks<OpenManyTasks<4>> registered_open_four;
const target::RegisterTasks<OpenManyTasks<16>> registered_open_sixteen;
const target::RegisterTasks<LendTasks<SmallLoan>> registered_lending;
const target::RegisterTasks<LendTasks<LargeLoan>> registered_large_lending;
const target::RegisterTasks<BadValueTasks> registered_bad_values;
const target::RegisterTasks<GatedCallTasks> registered_gated_calls;
const target::RegisterTasks<GatedFanInTasks> registered_gated_fan_ins;
const target::RegisterTasks<WideForkTasks> registered_wide_forks;
const target::RegisterTasks<BadJoinTasks> registered_bad_joins;
const target::RegisterTasks<SmallValueTasks> registered_small_values;
const target::RegisterTasks<LargeValueTasks> registered_large_values;
const target::RegisterTasks<LevelRowTasks> registered_level_rows;
const target::RegisterTasks<LevelTwigTasks> registered_level_twigs;
const target::RegisterTasks<LevelStairTasks> registered_level_stairs;
const target::RegisterTasks<LowerTasks> registered_lower;
const target::RegisterTasks<EndlessTasks> registered_endless;
const target::RegisterTasks<EndlessPairTasks> registered_endless_pairs;
const target::RegisterTasks<CountedTasks> registered_counted;
const target::RegisterTasks<CountedTwigTasks> registered_counted_twigs;
const target::RegisterTasks<CountedChainTasks> registered_counted_chains;
const target::RegisterTasks<CountedFlatTasks> registered_counted_flat;
const target::RegisterTasks<FragileFlatTasks> registered_fragile_flat;
const target::RegisterTasks<FragileTwigTasks> registered_fragile_twigs;
#endif

}  // namespace
}  // namespace millrace::conformance
