#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The uberkernel on simulated GPUs without cooperative launch, where the host drives its waves.
set -euo pipefail
export MILLRACE_SIMT_WITHOUT=cooperative_launch
tests/conformance/conformance_test --gtest_brief=1 \
  --gtest_filter='*/TasksTest.*simt*uberkernel:*/SpillTest.*simt*uberkernel:*/StopTest.*simt*uberkernel:*/AutoTest.*simt*'
