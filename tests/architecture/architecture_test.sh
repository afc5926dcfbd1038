#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks which folder may know which, as docs/architecture.md says. Runs on the source tree: by Bazel, or from its root by hand.
set -euo pipefail
shopt -s lastpipe  # expect_none counts at the end of a pipe.
if [[ -n ${TEST_SRCDIR:-} ]]; then cd "$(dirname "$(readlink -f WORKSPACE)")"; fi

trap 'echo "BROKEN: line $LINENO had no files to check" >&2' ERR
failures=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# expect_none RULE: fails for each line of input, which breaks the rule.
expect_none() {
  local lines
  lines=$(cat)
  if [[ -z $lines ]]; then
    echo "ok: $1"
  else
    printf 'BROKEN: %s\n%s\n' "$1" "$lines"
    failures=$((failures + 1))
  fi
}

# sources FOLDER...: our files of code below the folders, not the users' that test linking. A list that is empty, here or behind a grep, fails the
# test: a rule about it would say ok without having searched.
sources() {
  local folder files
  for folder in "$@"; do
    files=$(find "$folder" -path tests/consumers -prune -o -type f \( -name '*.h' -o -name '*.cc' -o -name '*.cu' -o -name '*.c' -o \
      -name '*.f90' \) -print | sort)
    [[ -n $files ]] || { echo "BROKEN: no sources below $folder" >&2; return 1; }
    echo "$files"
  done
}

# lines PATTERN: the lines that match in the files named by the input.
lines() {
  xargs -r grep -nHE "$1" || true
}

# includes PATTERN: the include lines that match, likewise.
includes() {
  lines "^ *# *include *$1"
}

# outside_comments PATTERN: the lines that match without comments and Python's docstrings; likewise.
outside_comments() {
  local files
  files=$(cat)
  { grep -E '\.(h|cc|cu|c)$' <<<"$files" || true; } | xargs -r sed -s -nE "s%//.*|/\*.*|^ *\* .*%%; \\%$1%{F;p}"
  { grep -E '\.f90$' <<<"$files" || true; } | xargs -r sed -s -nE "s%(^|[[:space:]])!.*%%; \\%$1%{F;p}"
  { grep -vE '\.(h|cc|cu|c|f90|py)$' <<<"$files" || true; } | xargs -r sed -s -nE "s%(^|[[:space:]])#.*%%; \\%$1%{F;p}"
  { grep -E '\.py$' <<<"$files" || true; } |
    xargs -r sed -s -nE "s%\"\"\".*\"\"\"%%; /\"\"\"/,/\"\"\"/d; s%(^|[[:space:]])#.*%%; \\%$1%{F;p}"
}

# build_files: Starlark, and what else Bazel and CMake read.
build_files() {
  find . -name 'bazel-*' -prune -o -path ./.git -prune -o -type f \( -name BUILD -o -name '*.bzl' -o -name WORKSPACE -o -name MODULE.bazel -o \
    -name .bazelrc -o -name CMakeLists.txt -o -name '*.cmake' -o -name '*.in' \) -print | cut -c3- | sort
}

# scripts: what begins with #!, is sourced by one that does, or is Python.
scripts() {
  find . -name 'bazel-*' -prune -o -path ./.git -prune -o -name '*.pyc' -prune -o -type f -print | cut -c3- |
    LC_ALL=C xargs sed -s -nE '1{/^#!/F}'
  find . -name 'bazel-*' -prune -o \( -name '*.sh' -o -name '*.py' \) -print | cut -c3-
}

all=(runtime backends algorithms bindings tests tools docs)
vendor='[<"](tbb/|oneapi/|cuda|cub/|hip/|rocprim/|Kokkos|boost/)'

sources runtime | includes "$vendor" | expect_none "runtime/ includes no vendor header"

{ sources runtime; sources algorithms | grep -vE '_(cpu|gpu)\.(cc|cu)$'; } |
  outside_comments '"(tbb|cuda|hip|kokkos|simt)(:[^"]*)?"' |
  expect_none "runtime/ and the common sources of an algorithm name no backend"

sources algorithms backends/cpu | includes '[<"](tbb/|oneapi/|Kokkos)' |
  expect_none "algorithms and backends/cpu include neither oneTBB nor Kokkos"

code=$(sources "${all[@]}")
others=$({ build_files; scripts; } | sort -u)

# Files that may name a backend, with the reason.
exceptions=(
  tools/benchmarks/harness/build_facts.bzl  # Results say which compilers of vendors made them;
  tools/benchmarks/harness/provenance.cc    # so does this.
  tools/packages/spack/package.py           # A recipe's options are literals.
  tools/packages/python/components.py       # The list of components names the vendors' libraries.
  bindings/python/millrace/_array.py        # DLPack numbers the vendors' kinds of memory.
  bindings/python/millrace/_compile.py      # A shared library has task sets for these targets alone.
  tools/report/results/sample_results.h     # Made-up results, for tests;
  tools/report/analysis/made_up_results.h   # so are these.
  tests/conformance/tasks/priority_test.cc  # The null backend runs every policy as waves;
  tests/conformance/tasks/open_join_test.cc  # it opens no joins while it runs.
)
printf '%s\n' "${exceptions[@]}" | while read -r file; do [[ -e $file ]] || echo "$file"; done |
  expect_none "the files that may name a backend are there"
excepted=$(IFS='|'; echo "^(${exceptions[*]//./\\.})\$")

# These hold what Bazel takes as literals alone: loads, options, and names of repositories.
lists='^(backends/backends\.bzl|\.bazelrc|MODULE\.bazel)$'
# FILE: LINE of each line of code, Starlark and scripts that names a folder of backends/.
named=$(printf '%s\n' "$code" "$others" | grep -vE "$lists|$excepted|^tests/packages/" | outside_comments 'backends/[a-z]' | paste -d : - -)
for folder in backends/*/; do
  folder=${folder%/}
  own="^($folder/|tests/(${folder#backends/}|architecture)/|tests/conformance/mutants:|algorithms/([^/]+/)+[a-z_]+_${folder#backends/}\.cc:)"
  [[ $folder == backends/gpu || $folder == backends/cpu ]] && continue
  { grep -E "$folder\b" <<<"$named" || true; } | { grep -vE "$own" || true; } | { grep -E ":.*$folder\b" || true; } |
    expect_none "$folder is named only by itself, backends/backends.bzl, .bazelrc, tests of its own, mutants and an algorithm's source for it"
done

# Not tbb and null: the one is the device that examples run on, the other a word. Tests choose the devices that they need.
grep -vE "^(backends/(cuda|gpu|hip|kokkos|mpi|simt)/|tests/|bindings/python/tests/|(algorithms|tools)/.*_test\.sh$)|$lists|$excepted" <<<"$others" |
  outside_comments '(^|[^-./[:alnum:]_])(cuda|hip|kokkos|mpi|simt)([^[:alnum:]_]|$)' |
  paste -d : - - | expect_none "Starlark, scripts and CMake name no backend"

# Here null is a word only where it is not compared with a backend.
{ sources tools bindings | grep -vE '_test\.|/tests/'; sources tests/conformance; } | grep -vE "$excepted" |
  outside_comments '"(cuda|hip|kokkos|mpi|simt)(:[^"]*)?"|backend *[!=]= *"[a-z]' | paste -d : - - |
  expect_none "tools, bindings and the conformance tests name no backend"

# toolkits FILE...: the names of the libraries of the system that the files say how to find.
toolkits() {
  grep -ohE '"[a-z0-9_]+": (system|found)_library_entry\(' "$@" | cut -d'"' -f2 | sort
}
comm -3 <(toolkits tools/bazel/library_table.bzl backends/*/backend.bzl) \
  <(sed -nE '/^use_repo\(/,/^\)/s/^    "(.*)",$/\1/p' MODULE.bazel | sort) |
  sed -E 's/^[^\t]/not in MODULE.bazel: &/; s/^\t/in MODULE.bazel alone: /' |
  expect_none "MODULE.bazel uses the libraries of library_table.bzl and of each backend.bzl"

lines_of_null=$(cat backends/null/* | wc -l)
if ((lines_of_null >= 300)); then echo "backends/null: $lines_of_null lines"; fi |
  expect_none "the backend to copy has less than 300 lines, with comments and blanks"

sources "${all[@]}" | includes '"' | expect_none "our headers are included as <millrace/...>"

sources "${all[@]}" | lines '^#pragma once' |
  expect_none "headers have include guards: Bazel shows them under two paths"

sources "${all[@]}" | grep '\.h$' | while read -r header; do
  guard=${header^^}
  echo "$header: expected MILLRACE_${guard//[\/.-]/_}_"
done | sort >"$scratch/expected"
sources "${all[@]}" | grep '\.h$' | xargs grep -oHE '^#ifndef MILLRACE_[A-Z0-9_]*_$' | sed 's/:#ifndef /: expected /' | sort |
  comm -23 "$scratch/expected" - | expect_none "an include guard is the path"

sources "${all[@]}" | sort >"$scratch/expected"
xargs sed -s -nE '1{\%^(//|!) SPDX-License-Identifier: Apache-2\.0$%F}' <"$scratch/expected" | sort | comm -13 - "$scratch/expected" |
  expect_none "a source begins with its license"

# Text files that may have comments. Those of Debian's package are under tools/packages/debian/copyright; git writes the whole of
# tools/bazel/archive_commit.
{
  grep -v '^tools/packages/debian/' <<<"$others"
  find . -name 'bazel-*' -prune -o -path ./.git -prune -o -type f \( -name '*.yaml' -o -name '*.yml' -o -name '*.toml' -o -name '*.html' -o \
    -name '*.cmake' -o -name '*.in' -o -name CMakeLists.txt -o -name Makefile -o -name BUILD -o -name '*.bzl' -o -name WORKSPACE -o \
    -name MODULE.bazel -o -name .bazelrc -o -name .bazelignore -o -name '.clang-*' -o -name .gitattributes -o -name .gitignore -o \
    -name Doxyfile -o -name installed_headers -o -path '*/completions/*' \) -print | cut -c3-
} | sort -u >"$scratch/expected"
xargs sed -s -nE '1,2{\%^(#|//|/\*) SPDX-License-Identifier: Apache-2\.0( \*/)?$%F}' <"$scratch/expected" | sort -u |
  comm -13 - "$scratch/expected" | expect_none "scripts, files of Bazel and CMake, templates and settings begin with their license"

# type_of(LINE), for awk: the type that a line of a header defines in its namespace, or "". Types of a namespace begin their line. A
# specialization defines none.
type_of='
  function type_of(line) {
    if (line !~ /^(class|struct|union|enum|enum class) / || line ~ /^[^{]*;$/) return ""
    sub(/^(class|struct|union|enum class|enum) /, "", line)
    while (sub(/^(alignas\(.*\)|__attribute__\(\(.*\)\)|\[\[[^]]*\]\]|MILLRACE_[A-Z_]+) /, "", line)) {}
    match(line, /^[A-Za-z0-9_]+/)
    return substr(line, RLENGTH + 1, 1) == "<" ? "" : substr(line, 1, RLENGTH)
  }'

# TYPE FILE of each type that a header defines in its namespace.
sources "${all[@]}" | grep '\.h$' | xargs awk "$type_of"'{ type = type_of($0); if (type != "") print type, FILENAME }' |
  sort -u >"$scratch/types"

# Types whose name means something else elsewhere, with the reason.
same_names=(
  DeviceScope    # Each GPU backend has its own: backends/gpu/api.h specifies it.
  RegisterTasks  # Each target has its own, which MILLRACE_TARGET selects,
  TaskContext    # and its own context of tasks.
  RunWatch       # The runs of a CPU and of a GPU are watched the same way.
  SearchOptions  # Public, of motion estimation and of 3-stars.
)
awk '{ folder = $2; sub(/\/[^\/]*$/, "", folder) }
  !(($1, folder) in seen) { seen[$1, folder]; ++folders[$1]; files[$1] = files[$1] " " $2 }
  END { for (type in folders) if (folders[type] > 1) print type ":" files[type] }' "$scratch/types" | sort >"$scratch/shared"
{ grep -vE "^($(IFS='|'; echo "${same_names[*]}")):" "$scratch/shared" || true; } |
  expect_none "a type's name is declared in one folder"
printf '%s\n' "${same_names[@]}" | sort | comm -23 - <(cut -d: -f1 "$scratch/shared" | sort) |
  expect_none "the names that several folders may declare are in several"

# Tests define a type for each task.
awk '$2 !~ /^tests\/|_test\.h$/ { ++types[$2] } END { for (file in types) if (types[file] > 8) print file ": " types[file] " types" }' \
  "$scratch/types" | expect_none "a header has at most 8 types"

# Endings of the names of headers with several types, and the types that such a header has.
concepts=(
  kernels      # The bodies of the kernels of one step.
  ops          # The operations of an algorithm, which backends implement.
  peer         # The input and the result of another program or library.
  task_target  # The types of a target, which MILLRACE_TARGET selects by this name.
  tasks        # The tasks of one or several sets, with their arguments.
  test_input   # The input of an algorithm's tests.
  types        # The small types of an interface.
)

# A header that defines types of its namespace is named after one of them, or after a function that it declares, whose name contains the
# file's (slice_data.h: parse_slice_data). A file of functions, which declares three or more, may be named after what they are about. If
# there are several types, the name may also be the words with which two or more of them begin (star_file.h: StarFileWriter and
# StarFileReader), or have an ending of `concepts`. Endings that say how a header is compiled do not count. Prints FILE: TYPES of each
# header of the input that is named otherwise.
named_otherwise() {
  xargs awk -v concepts="$(IFS='|'; echo "${concepts[*]}")" "$type_of"'
    # The function that a line declares in its namespace, or "".
    function function_of(line) {
      if (line !~ /^[A-Za-z[]/ || line ~ /^(class|struct|union|enum|template|requires|static_assert|using)[ (]/) return ""
      if (!match(line, /(^|[ *&])[a-z][a-z0-9_]*\(/) || index(substr(line, 1, RSTART), "=") > 0) return ""
      line = substr(line, RSTART, RLENGTH - 1)
      sub(/^[ *&]/, "", line)
      return line
    }
    function finish(  plain, type, begin, names) {
      if (types == 0 || has_name || functions >= 3) return
      plain = stem
      gsub(/_/, "", plain)
      if (types > 1 && stem ~ "(^|_)(" concepts ")$") return
      for (type in is_type) {
        if (tolower(type) == plain) return
        if (index(tolower(type), plain) == 1 && substr(type, length(plain) + 1) ~ /^[A-Z]/) ++begin
        names = names " " type
      }
      if (begin < 2) print file ":" names
    }
    FNR == 1 {
      finish()
      file = stem = FILENAME
      sub(/.*\//, "", stem)
      sub(/(_(gpu|inl|simd|test_helper))?\.h$/, "", stem)
      types = functions = has_name = 0
      split("", seen)
      split("", is_type)
    }
    {
      name = type_of($0)
      if (name != "" && !(name in is_type)) { is_type[name]; ++types }
      name = function_of($0)
      if (name != "" && !(name in seen)) { seen[name]; ++functions }
      if (index("_" name "_", "_" stem "_") > 0) has_name = 1
    }
    END { finish() }'
}

# Headers that are named after something else, with the reason.
other_names=(
  algorithms/codecs/cpu/delta_simd.h                           # The delta codec by SIMD, as sparse_simd.h and bounded_simd.h are others.
  algorithms/h264/encoder/macroblock/scalar_encoder_kernels.h  # The alias ScalarEncoderKernels, whose base the type is.
  algorithms/h264/entropy/coded_counts.h                       # Counts of coded coefficients: a grid of a macroblock, and the neighbours' edges.
  algorithms/h264/parameter_sets.h                             # The two of the standard, which share their scaling lists.
  algorithms/h264/reconstruction/cpu/intra_prediction_inl.h    # The functions of intra_prediction.h by SIMD.
  algorithms/idct/macroblock.h                                 # The layout of macroblocks in memory, one and a queue of them.
  algorithms/motion_estimation/cpu/motion_simd.h               # The search of a row by SIMD, as motion_refine_simd.h is the refinement.
  algorithms/three_star/paper/paper_chunk.h                    # The layout of a chunk, part by part; paper_chunk.cc writes it.
  algorithms/three_star/paper/paper_chunk_simd.h               # The part of paper_chunk.cc by SIMD.
  docs/examples/first/tasks.h                                  # The README's first program has a file of this name.
  docs/examples/task_graph/shared_cholesky.h                   # factor_cholesky() of a group, as cholesky.h has the one of a queue.
  runtime/group/run_group_tasks.h                              # Public: run_tasks() of GroupTasks, as run_shared_tasks.h is of SharedTasks.
  runtime/ranks/agreement.h                                    # Public: agree() of ranks, the error that it throws, and a check that uses it.
  runtime/ranks/result_stream.h                                # Public: both ends of the stream, and the messages between them.
  runtime/tasks/context.h                                      # Concepts of a Context; the type is a task with which backends check them.
  tools/command/common/command_line.h                          # Commands with their options and flags.
  tools/video/picture/clip_format.h                            # Properties of a clip: rate, times, shape of samples and order of fields.
)
sources "${all[@]}" | grep '\.h$' | named_otherwise >"$scratch/others"
{ grep -vE "^($(IFS='|'; echo "${other_names[*]//./\\.}")):" "$scratch/others" || true; } |
  expect_none "a header that defines types is named after one, after functions that it declares, or after what its types have in common"
printf '%s\n' "${other_names[@]}" | sort | comm -23 - <(cut -d: -f1 "$scratch/others" | sort) |
  expect_none "the headers that may be named after something else are"
for concept in "${concepts[@]}"; do
  grep -qE "[/_]$concept(_gpu|_inl|_simd)?\.h\$" <<<"$code" || echo "$concept"
done | expect_none "each ending that several types may have is that of a header"

# Files of tests that sleep, with the reason. What hangs ends by Bazel's timeout of its target.
sleepers=(
  tests/end_to_end/millrace_process.cc  # Leaves the core to the process between two polls; nothing depends on how long that takes.
  tests/mpi/command_test.sh             # Likewise, between two polls of a benchmark's file.
)
files_of_tests=$({ sources tests; sources "${all[@]}" | grep -E '_test\.(cc|cu)$'; scripts | grep -E '(^|/)tests/|_test\.(sh|py)$'; } | sort -u |
  grep -v '^tests/architecture/architecture_test\.sh$')
sleeping=$(outside_comments '\b(alarm|nanosleep|setitimer|sleep|sleep_for|sleep_until|timeout|timer_create|timerfd_create|ualarm|usleep)\b' \
  <<<"$files_of_tests" | paste -d : - -)
{ grep -vE "^($(IFS='|'; echo "${sleepers[*]//./\\.}")):.*\bsleep" <<<"$sleeping" || true; } |
  expect_none "no test sleeps, sets an alarm or has a timeout of its own"
printf '%s\n' "${sleepers[@]}" | while read -r file; do grep -q "^$file:" <<<"$sleeping" || echo "$file"; done |
  expect_none "the tests that may sleep do"

# Files of tests that read a clock, or name its type, with the reason. The clock of tests of deadlines advances when it is read
# (runtime/testing/counted_clock.h). No test fails because time has passed: those that compare two readings repeat with more work
# between them.
timed=(
  runtime/host/clock/run_clock_test.cc          # RunClock is this clock, unless a test has set another.
  runtime/host/queue/serial_executor_test.cc    # Overrides reached_at(), which returns a time of it.
  runtime/timeline/timeline_test.cc             # A span lies between two readings, however long it takes.
  tests/conformance/queue_test.cc               # reached_at() is a time of the host's clock, also where the device has its own.
  tests/conformance/pipeline/pipeline_test.cc   # So are the seconds of each stage, which are compared with readings in the stage.
  tests/consumers/run                           # Prints how long each check took.
)
waits='\bwait_(for|until)\b.*(chrono|_clock|[0-9](ns|us|ms|s|min)\b)|\btry_(lock|acquire)_(for|until)\b'
clocks='\b(steady|system|high_resolution)_clock\b|\b(clock_gettime|gettimeofday|perf_counter|monotonic|time\.time)\b|\$\{?(EPOCH)?(SECONDS|REALTIME)'
timing=$(outside_comments "$clocks|$waits" <<<"$files_of_tests" | paste -d : - -)
{ grep -vE "^($(IFS='|'; echo "${timed[*]//./\\.}")):" <<<"$timing" || true; } | expect_none "no test reads a clock or waits for a time"
printf '%s\n' "${timed[@]}" | while read -r file; do grep -q "^$file:" <<<"$timing" || echo "$file"; done |
  expect_none "the tests that may read a clock do"

# With the reason.
clocks_of_benchmarks=(
  tools/benchmarks/harness/sampler.cc               # Defines seconds_now().
  tools/benchmarks/workloads/h264/h264_workloads.cc  # Reads the processor's time of one thread, not the clock.
)
timing=$(sources tools/benchmarks |
  outside_comments '\b((steady|system|high_resolution)_clock|clock_gettime|gettimeofday|seconds_since|seconds_between)\b' | paste -d : - -)
{ grep -vE "^($(IFS='|'; echo "${clocks_of_benchmarks[*]//./\\.}")):" <<<"$timing" || true; } |
  expect_none "benchmarks read the clock by seconds_now() and seconds_of() of tools/benchmarks/harness/sampler.h"
printf '%s\n' "${clocks_of_benchmarks[@]}" | while read -r file; do grep -q "^$file:" <<<"$timing" || echo "$file"; done |
  expect_none "the benchmarks that may read a clock do"

# Folders of an algorithm are named after their role, or are listed with what they have.
roles='cpu|gpu|stream|group|ranks|paper|command|tasks|testing|internal'
other_folders=(
  algorithms/h264/bitstream               # The stages of a stream, in order: NAL units, parameter sets, slice headers;
  algorithms/h264/entropy                 # CAVLC and CABAC to macroblocks;
  algorithms/h264/pictures                # the order of pictures and their references;
  algorithms/h264/reconstruction          # prediction, residual, deblocking.
  algorithms/h264/features                # What is measured of pictures in place of their samples.
  algorithms/h264/queue                   # The IDCT's queue of a picture.
  algorithms/h264/rtp                     # Captures, and NAL units of their streams.
  algorithms/h264/encoder                 # Pictures to a stream.
  algorithms/h264/bitstream/writers       # Of NAL units, for the encoder and tests.
  algorithms/h264/entropy/cabac           # One of two codes of macroblocks,
  algorithms/h264/entropy/cavlc           # the other,
  algorithms/h264/entropy/common          # and what both have.
  algorithms/h264/reconstruction/views    # Pictures and slices as a device has them.
  algorithms/h264/features/tasks/memory   # Memory of a run of tasks.
  algorithms/h264/encoder/decision        # Steps of a macroblock: the choice of its modes and vectors;
  algorithms/h264/encoder/macroblock      # its distortion and its levels;
  algorithms/h264/encoder/syntax          # its bits.
  algorithms/h264/encoder/rate            # The choice of QPs.
  algorithms/h264/encoder/settings        # Options, and what follows from them.
  algorithms/h264/encoder/tasks/lanes     # A macroblock by the lanes of a group.
  algorithms/idct/residual_coder          # Makes macroblocks as an encoder does.
  algorithms/motion_estimation/fast_search  # Other searches, for comparison.
  algorithms/radix_sort/cpu/simd          # Loops that are compiled for each instruction set.
  algorithms/radix_sort/steps             # Arguments of steps that cpu/ and gpu/ run.
  algorithms/three_star/chunks            # Compressed 3-stars, their files and their order.
  algorithms/three_star/placement         # Of relays between sensors,
  algorithms/three_star/placement/limits  # and under conditions.
)
find algorithms -mindepth 2 -type d -not -name __pycache__ | sort | { grep -vE "/($roles)\$" || true; } >"$scratch/folders"
printf '%s\n' "${other_folders[@]}" | sort | comm -13 - "$scratch/folders" |
  expect_none "a folder of an algorithm is one of ${roles//|/, }, or is listed"
printf '%s\n' "${other_folders[@]}" | sort | comm -23 - "$scratch/folders" | expect_none "the folders of algorithms that are listed are there"

# Data of tests may be as many as there are.
find "${all[@]}" -type f -not -path '*/seeds/*' -not -name '*.pyc' | sed 's:/[^/]*$::' | sort | uniq -c |
  awk '$1 > 26 { print $2 ": " $1 " files" }' | expect_none "a folder has at most 26 files"

sources backends/gpu/device backends/gpu/waves | includes '<millrace/backends/gpu/(host|run)/' |
  expect_none "code in kernels includes nothing of the host's side"

sources backends/gpu/host backends/cpu/host | includes '<millrace/backends/(gpu|cpu)/(device|run)/' |
  expect_none "devices and queues know no task run"

{ sources "${all[@]}"; scripts; } | grep -v '^tests/' | xargs grep -ohE 'docs/experiments/[a-z0-9_]+\.md' | sort -u >"$scratch/cited"
ls docs/experiments/*.md | grep -v '/README\.md$' | comm -3 - "$scratch/cited" |
  expect_none "each page of docs/experiments is cited by code, and each page that is cited is there"

wc -l docs/experiments/*.md | awk '$2 != "total" && $1 > 60 { print $2 ": " $1 " lines" }' |
  expect_none "a page of docs/experiments has at most 60 lines"

# Tests may include what they like. A folder internal/ counts as the one that it is in, whose public templates are made of
# what it has. tsort names the folders of each cycle.
sources "${all[@]}" | grep -vE '^(docs|tests)/|_test(_|\.)' | includes '<millrace/' |
  sed -nE 's:^(.*)/[^/]*\:[0-9]+\: *# *include *<millrace/(.*)/[^/]*>.*:\1 \2:p' | sed 's:/internal\b::g' |
  awk '$1 != $2' | sort -u |
  tsort 2>&1 >/dev/null | expect_none "no folder includes one that includes it, directly or through others"

# A row may explain several words, divided by commas. The first row is the table's head.
sed -n '/^## Glossary$/,/^## [^G]/s/^| \([^|]*\) |.*/\1/p' docs/architecture.md | tail -n +2 | tr ',' '\n' | tail -n +26 |
  expect_none "the glossary has at most 25 words"

# Prints each link to a file that is not there. What is behind # is a section.
find . -name 'bazel-*' -prune -o -path ./.git -prune -o -name '*.md' -print | cut -c3- | while read -r page; do
  { grep -oE '\]\([^)# ]+(#[^) ]*)?\)' "$page" || true; } | sed 's/^](//; s/[#)].*//' | while read -r link; do
    [[ $link == *:* || -e $(dirname "$page")/$link ]] || echo "$page: $link"
  done
done | expect_none "links of pages lead to files that are there"

lines_of_readme=$(wc -l <README.md)
if ((lines_of_readme > 120)); then echo "README.md: $lines_of_readme lines"; fi |
  expect_none "README.md has at most 120 lines"

if ((failures > 0)); then exit 1; fi
