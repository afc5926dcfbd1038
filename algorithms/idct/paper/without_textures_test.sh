#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# On simulated GPUs without textures the strategies that need them say so, and the others work.
set -euo pipefail
export MILLRACE_SIMT_WITHOUT=textures
output=$(algorithms/idct/idct_strategies_test --gtest_filter='*simt*')
echo "$output"
reason='simt:0 (simulated GPU with warps of 32) has no 2-D textures of'
[[ $output == *"$reason"* ]] || { echo "FAILED: nothing says '$reason'"; exit 1; }
[[ $output =~ \[\ \ PASSED\ \ \]\ [1-9] ]] || { echo "FAILED: nothing works without them"; exit 1; }
