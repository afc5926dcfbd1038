#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# new_algorithm_test.sh [--build]: runs tools/new_algorithm in a copy of the tree and reads what it made. With --build, as
# tests/consumers/run calls it, Bazel analyses it, too.
set -euo pipefail
if [[ -n ${TEST_SRCDIR:-} ]]; then cd "$(dirname "$(readlink -f WORKSPACE)")"; fi
copy=$(mktemp -d "${TEST_TMPDIR:-/tmp}/tree.XXXXXX")
trap 'rm -rf "$copy"' EXIT
tar -c --exclude='./bazel-*' --exclude=./.git . | tar -x -C "$copy"
cd "$copy"
failures=0

# expect WHAT COMMAND...: fails unless the command succeeds.
expect() {
  if "${@:2}"; then echo "ok: $1"; else echo "BROKEN: $1"; failures=$((failures + 1)); fi
}

# rejects WORDS ARGUMENT...: true if the script fails and says WORDS.
rejects() {
  local output status=0
  output=$(tools/new_algorithm "${@:2}" 2>&1) || status=$?
  [[ $status == 2 && $output == *"$1"* ]]
}

has_no_placeholders() {
  ! grep -rn '@[A-Za-z]*@' algorithms/new_sort
}

# The lines of a file that were added or removed, beside what they were.
changes_one_line() {
  [[ $(diff algorithms/BUILD.before algorithms/BUILD | grep '^[<>]' | grep -c new_sort) == 1 ]]
}

has_license_and_guard() {
  local file
  for file in $(find algorithms/new_sort -type f); do
    head -1 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' || return 1
    [[ $file != *.h ]] || grep -q "^#ifndef MILLRACE_$(tr 'a-z/.' 'A-Z__' <<<"$file")_\$" "$file" || return 1
  done
}

is_formatted() {
  ! command -v clang-format >/dev/null || find algorithms/new_sort -name '*.h' -o -name '*.cc' | xargs clang-format --dry-run -Werror
}

cp algorithms/BUILD algorithms/BUILD.before
expect "it makes a folder" tools/new_algorithm new_sort
expect "it fills in all names" has_no_placeholders
expect "it adds one line elsewhere" changes_one_line
expect "its files have licenses and guards" has_license_and_guard
expect "its files are formatted" is_formatted
expect "it rejects a name that is taken" rejects "is there already" new_sort
expect "it rejects a name that is none" rejects "write lower case" NewSort
expect "it rejects a keyword of C++" rejects "a keyword of C++" class
expect "it rejects a keyword of several words" rejects "a keyword of C++" static_cast
expect "it rejects no name" rejects "give the algorithm's name alone"
if [[ ${1:-} == --build ]]; then
  expect "Bazel analyses what it makes" bazel --output_user_root="$copy.bazel" build --nobuild //algorithms/new_sort/... //tools:millrace
  bazel --output_user_root="$copy.bazel" shutdown || true
  chmod -R u+w "$copy.bazel" && rm -rf "$copy.bazel"
fi
((failures == 0))
