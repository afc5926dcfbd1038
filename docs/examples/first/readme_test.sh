#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# README.md and docs/guide/first_program.md show the first program as it is here, without guards of headers, and what it prints.
set -euo pipefail
folder=docs/examples/first
failures=0

# block PAGE NAME: the fenced block of the page whose first line is "// NAME".
block() {
  awk -v first="// $2" '/^```/ { inside = 0; next } $0 == first { inside = 1; next } inside' "$1"
}

# expect_same PAGE NAME: what comes in is the block, and is not empty.
expect_same() {
  local text
  text=$(cat)
  if [[ -z $text ]] || ! diff <(echo "$text") <(block "$1" "$2"); then
    echo "$1: the block of $2 differs (< is right)"
    failures=$((failures + 1))
  fi
}

expect_same README.md tasks.h < <(sed -n '/^#include/,/^using/p' "$folder/tasks.h")
expect_same README.md main.cc < <(
  sed -n '/^#include/,$p' "$folder/main.cc" | sed 's:<millrace/docs/examples/first/tasks.h>:"tasks.h":')
expect_same docs/guide/first_program.md tasks.cc < <(
  sed -E '1,/^$/d; s:<millrace/docs/examples/first/tasks.h>:"tasks.h":' "$folder/tasks.cc")
for policy in persistent uberkernel kernel-per-type auto; do
  expect_same README.md output < <("$folder/../first_program" tbb "$policy")
done
((failures == 0))
