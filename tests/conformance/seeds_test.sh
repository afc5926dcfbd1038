#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The suite on simulated GPUs under more interleavings than the one of conformance_test.
set -euo pipefail
for seed in 2 3 4; do
  echo "-- MILLRACE_SIMT_SEED=$seed"
  MILLRACE_SIMT_SEED=$seed tests/conformance/conformance_test --gtest_filter='*simt*' --gtest_brief=1
done
