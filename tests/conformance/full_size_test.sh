#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# full_size_test.sh PATTERN...: tests of the suite on simulated GPUs, at the sizes that other devices have in conformance_test. Each
# pattern is TEST.CASE/POLICY, and * stands for any characters.
set -euo pipefail
export MILLRACE_TEST_FULL=1
filter=
for pattern in "$@"; do filter+=":*/${pattern%/*}/simt_*_${pattern##*/}"; done
tests/conformance/conformance_test --gtest_filter="${filter#:}" --gtest_brief=1
