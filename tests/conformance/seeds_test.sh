#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The suite on simulated GPUs under another interleaving than the one of conformance_test: a random one, which is printed.
# MILLRACE_SIMT_SEED chooses it.
set -euo pipefail
export MILLRACE_SIMT_SEED=${MILLRACE_SIMT_SEED:-$((RANDOM + 2))}
echo "-- MILLRACE_SIMT_SEED=$MILLRACE_SIMT_SEED"
tests/conformance/conformance_test --gtest_filter='*simt*' --gtest_brief=1
