#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs/guide/many_machines.md has what tools/predict_ranks prints.
set -euo pipefail
if [[ -n ${TEST_SRCDIR:-} ]]; then cd "$(dirname "$(readlink -f WORKSPACE)")"; fi
failures=0
lines=0
while IFS= read -r line; do
  lines=$((lines + 1))
  grep -qxF -- "$line" docs/guide/many_machines.md || { echo "not in docs/guide/many_machines.md: $line"; failures=$((failures + 1)); }
done < <(tools/predict_ranks)
((lines > 2 && failures == 0))
