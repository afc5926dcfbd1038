#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tasks that wait at the sizes of other devices on simulated GPUs, which takes up to an hour a test: a counter of 10,000
# predecessors, a million arrivals at a join, joins nested 10,000 deep, and chains of a million tasks by counters and by joins.
set -euo pipefail
export MILLRACE_TEST_FULL=1
tests=ArrivalTest.ASuccessorObservesAllOfItsPredecessors:ArrivalTest.AChainRunsInItsOrder
tests+=:JoinTest.AJoinMayBeWideAndGrow:JoinTest.JoinsMayBeNestedDeeply:JoinTest.JoinsMayFollowEachOther
filter=$(tr ':' '\n' <<<"$tests" | sed 's|.*|*/&/simt_*|' | paste -sd:)
tests/conformance/conformance_test --gtest_filter="$filter" --gtest_brief=1
