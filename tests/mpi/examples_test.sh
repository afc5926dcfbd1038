#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# examples_test.sh MPIRUN UTS FIBONACCI: examples whose tasks go from rank to rank find the right counts.
mpirun=$1 uts=$2 fibonacci=$3
source "$(dirname "$0")/mpirun.sh"
failures=0

# expect LINE COMMAND...: rank 0 alone prints, and its output has the line.
expect() {
  local line=$1 out
  shift
  out=$(run_ranks 4 "$@") || { echo "FAILED: $*: status $?"; failures=$((failures + 1)); }
  if ! grep -qF -- "$line" <<<"$out" || [[ $(grep -c '^check: ok$' <<<"$out") != 1 ]]; then
    echo "FAILED: $*: expected '$line' and one verdict:"
    echo "$out"
    failures=$((failures + 1))
  fi
}

for policy in persistent uberkernel; do
  expect "1732 nodes, depth 6, 1050 leaves" "$uts" --policy $policy
  expect "16000 nodes, depth 6, 12839 leaves" "$uts" -t 1 -a 3 -d 6 -b 4 -r 19 --policy $policy
  expect "4181, 4181 by additions" "$fibonacci" --n 19 --policy $policy
done
((failures == 0))
