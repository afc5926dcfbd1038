#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# README.md shows the first program as it is here, without guards of headers, and what it prints.
set -euo pipefail
folder=docs/examples/first
failures=0

# blocks NAME: the fenced block of README.md whose first line is "// NAME".
block() {
  awk -v first="// $1" '/^```/ { inside = 0; next } $0 == first { inside = 1; next } inside' README.md
}

# expect_same NAME: what comes in is the block.
expect_same() {
  if ! diff - <(block "$1"); then
    echo "README.md: the block of $1 differs (< is right)"
    failures=$((failures + 1))
  fi
}

for file in tasks.h tasks.cc main.cc; do
  sed -E '1,/^$/d; /^#(ifndef|define|endif).*MILLRACE_DOCS/d; s:<millrace/docs/examples/first/tasks.h>:"tasks.h":' "$folder/$file" |
    awk 'NF || seen { seen = 1; print }' | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' | expect_same "$file"
done
"$folder/../first_program" tbb | expect_same output
((failures == 0))
