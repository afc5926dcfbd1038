#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The headers that tools/install installs are those of the reviewed list: each is public, or a public one includes it.
# Runs on the source tree: by Bazel, or from its root by hand.
set -euo pipefail
shopt -s lastpipe  # expect_none counts at the end of a pipe.
if [[ -n ${TEST_SRCDIR:-} ]]; then cd "$(dirname "$(readlink -f WORKSPACE)")"; fi

list=tools/bazel/install_files/installed_headers
failures=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
ln -s "$PWD" "$scratch/millrace"

# expect_none RULE: fails for each line of input, a header that breaks the rule.
expect_none() {
  local headers
  headers=$(cat)
  if [[ -z $headers ]]; then
    echo "ok: $1"
  else
    printf 'BROKEN: %s\n%s\n' "$1" "$headers"
    failures=$((failures + 1))
  fi
}

listed() {
  grep -E '^[a-z]' "$list"
}

# section NAME: the headers of the sections whose names begin so.
section() {
  awk -v name="[$1" '/^\[/ { is_in = index($0, name) == 1; next } is_in && NF' "$list"
}

# read_by FILE OPTION...: our headers that the compiler reads for a source.
read_by() {
  local file=$1
  shift
  g++ -std=c++20 -I"$scratch" -M "$@" "$file" | tr ' \\' '\n\n' | sed -n "s:^$scratch/millrace/::p" | sort -u
}

backends=()
for folder in backends/*/; do backends+=("$(basename "$folder")"); done
tools/bazel/install_files/public_headers "${backends[@]}" | sort >"$scratch/installed"
[[ -s $scratch/installed ]] || { echo "BROKEN: public_headers prints nothing"; exit 1; }

listed | sort | uniq -d | expect_none "the reviewed list has a header once"
listed | sort | comm -13 - "$scratch/installed" |
  expect_none "an installed header is in $list, whose sections give the reason"
listed | sort | comm -23 - "$scratch/installed" |
  expect_none "an internal header of $list is included by a public one"
{ grep -nvE '^($|#|[a-z0-9_/]+\.h$|\[(public|public, of a backend|internal): .{10,}\]$)' "$list" || true; } |
  expect_none "a section of the reviewed list is public or internal, and says why"
find backends -mindepth 2 -maxdepth 2 '(' -name task_target.h -o -name interop.h ')' | sort |
  comm -23 - <(section "public, of a backend" | sort) |
  expect_none "what a backend's task sets and interoperation include is public"

find runtime/{core,tasks,stream,group,ranks,timeline} -name '*.h' -not -path '*/internal/*' | sort |
  comm -3 - <(section public: | grep '^runtime/[a-z]*/' | sort) |
  expect_none "headers of runtime's public folders are public, but for those in a folder internal/"

# The compiler decides which headers a program reads; backends of a vendor want its toolkit.
section public: | sed 's:.*:#include <millrace/&>:' >"$scratch/public.cc"
g++ -std=c++20 -I"$scratch" -fsyntax-only "$scratch/public.cc" 2>&1 | expect_none "a program may include all public headers"
read_by "$scratch/public.cc" >"$scratch/read"
echo '#include MILLRACE_TARGET' >"$scratch/tasks.cc"
compiled=(cpu null simt)
for target in "${compiled[@]}"; do
  read_by "$scratch/tasks.cc" -D"MILLRACE_TARGET=<millrace/backends/$target/task_target.h>" \
    -D"MILLRACE_GPU_API=<millrace/backends/$target/api.h>" >>"$scratch/read"
done
tools/bazel/install_files/public_headers "${compiled[@]}" | sort >"$scratch/of_compiled"
sort -u "$scratch/read" | comm -23 - "$scratch/of_compiled" |
  expect_none "what a program of public headers reads is installed"
sort -u "$scratch/read" | comm -13 - "$scratch/of_compiled" |
  expect_none "what is installed is read by a program of public headers"

((failures == 0))
