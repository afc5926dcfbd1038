#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# examples_test.sh MPIRUN UTS FIBONACCI usual|large: examples whose tasks go from rank to rank find the right counts.
mpirun=$1 uts=$2 fibonacci=$3 sizes=$4
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

usual() {
  for policy in persistent uberkernel; do
    expect "1732 nodes, depth 6, 1050 leaves" "$uts" --policy $policy
    expect "16000 nodes, depth 6, 12839 leaves" "$uts" -t 1 -a 3 -d 6 -b 4 -r 19 --policy $policy
    expect "4181, 4181 by additions" "$fibonacci" --n 19 --policy $policy
  done
  # The published trees T1, T3 and T4.
  expect "4130071 nodes, depth 10, 3305118 leaves (published)" "$uts" -t 1 -a 3 -d 10 -b 4 -r 19 --policy persistent
  expect "4112897 nodes, depth 1572, 3599034 leaves (published)" "$uts" -t 0 -b 2000 -q 0.124875 -m 8 -r 42 --policy persistent
  expect "4132453 nodes, depth 134, 3108986 leaves (published)" \
    "$uts" -t 2 -a 0 -d 16 -b 6 -r 1 -q 0.234375 -m 4 --policy persistent
}

large() {
  expect "102181082 nodes, depth 13, 81746377 leaves (published)" "$uts" -t 1 -a 3 -d 13 -b 4 -r 29 --policy persistent
  expect "102334155, 102334155 by additions" "$fibonacci" --n 40 --policy persistent
}

"$sizes"
((failures == 0))
