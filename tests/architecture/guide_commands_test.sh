#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that each block of the guide's pages is run. tests/end_to_end/guide_test.cc runs blocks that are marked sh, and smaller
# ones of those that are marked `sh smaller`. Each other block has one of the checks below: the test that runs it, the source
# that it shows, or the reason why no test can run it. Runs on the source tree: by Bazel, or from its root by hand.
set -euo pipefail
if [[ -n ${TEST_SRCDIR:-} ]]; then cd "$(dirname "$(readlink -f WORKSPACE)")"; fi

failures=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

broken() {
  echo "BROKEN: $1"
  failures=$((failures + 1))
}

# unrun_blocks PAGE: writes each block that guide_test.cc does not run to a file in $scratch/PAGE, in their order.
unrun_blocks() {
  mkdir "$scratch/$1"
  awk '/^```sh( smaller)?$/ { is_run = 1; next } is_run { if (/^```$/) is_run = 0; next } { print }' "docs/guide/$1.md" >"$scratch/$1.md"
  { tests/consumers/guide_block "$scratch/$1.md" || true; } | awk -v folder="$scratch/$1" '
    /^$/ { is_inside = 0; next }
    !is_inside { is_inside = 1; file = sprintf("%s/%02d", folder, ++number) }
    { print >file }'
}

# find_block PAGE WORDS: prints the file of the block that begins so.
find_block() {
  local file
  for file in "$scratch/$1"/*; do
    if [[ $(head -1 "$file") == "$2"* ]]; then echo "$file"; return; fi
  done
  return 1
}

# block PAGE WORDS CHECK [ARGUMENT...]: checks the block that begins with the words.
block() {
  local page=$1 words=$2 file why
  shift 2
  if ! file=$(find_block "$page" "$words"); then broken "$page.md has no block left that begins with '$words'"; return; fi
  if why=$("$1" "$file" "${@:2}"); then
    echo "ok: $page.md, $words"
    mv "$file" "$scratch/checked_$page.$(basename "$file")"
  else
    broken "$page.md, $words: $why"
    rm "$file"
  fi
}

# exempt BLOCK REASON: it is no command, or no machine that runs tests can be relied on to run it.
exempt() { [[ ${#2} -ge 20 ]] || { echo "the reason is missing"; return 1; }; }

# run_by BLOCK {PROGRAM WORDS}...: what continuous integration runs has the block's commands, each by its words.
run_by() {
  shift
  while (($# > 0)); do
    grep -qF -- "$2" "$1" || { echo "$1 does not have '$2'"; return 1; }
    shift 2
  done
}

tokens() { grep -oE '"[^"]*"|[A-Za-z_@]+|[^[:space:],]' || true; }

# shown BLOCK FILE [SED]: what the block says is in the file, in this order, though the file may say more and break lines
# elsewhere. SED makes the names of the block those of the file.
shown() {
  sed -E "${3:-}" "$1" | tokens >"$scratch/tokens"
  tokens <"$2" | awk -v wanted="$scratch/tokens" '
    BEGIN { while ((getline line <wanted) > 0) tokens[++count] = line; next_one = 1 }
    $0 == tokens[next_one] { ++next_one }
    END { if (next_one <= count) { print "not in the file from " tokens[next_one] " on"; exit 1 } }'
}

# labels BLOCK: each line is the label of a target that is there and that others may use.
labels() {
  local label name
  while read -r label _; do
    label=${label#@millrace//} name=${label#*:}
    grep -qF "name = \"$name\"," "${label%:*}/BUILD" || { echo "there is no target $label"; return 1; }
  done <"$1"
}

# has_option SCRIPT OPTION: its text says that it takes the option, or tools/setup finds it with a backend.
has_option() {
  grep -qE -- "(^|[^a-z-])$2([^a-z-]|\$)" "$1" ||
    { [[ $1 == tools/setup ]] && grep -q "^want_toolkit()" "backends/${2#--}/toolkit.sh"; } ||
    { echo "$1 has no option $2"; return 1; }
}

# is_target PATTERN: of targets, as Bazel is given it.
is_target() {
  local package=${1#//}
  case $package in
    ...) ;;
    */...) [[ -n $(find "${package%/...}" -name BUILD -print -quit 2>/dev/null) ]] ;;
    *:*) grep -qE "\"${package#*:}\"" "${package%:*}/BUILD" ;;
    *) [[ -e $package/BUILD ]] ;;
  esac || { echo "there is no target $1"; return 1; }
}

# is_bazel_option OPTION: one of ours is there; those of Bazel itself are named here.
is_bazel_option() {
  local name
  case $1 in
    -c | opt | -- | --test_env=* | --test_arg=* | --test_size_filters=enormous | --output_user_root=*) ;;
    --config=*) grep -qE "^(build|test):${1#*=} " .bazelrc || { echo "there is no $1"; return 1; } ;;
    --//*:*)
      name=${1#--//} name=${name%%=*}
      [[ $name == backends:with_* && -e backends/${name#*with_}/backend.bzl ]] ||
        grep -qE "name = \"${name#*:}\"" "${name%:*}/BUILD" || { echo "there is no flag $1"; return 1; } ;;
    *) echo "unknown option $1"; return 1 ;;
  esac
}

# is_variable NAME: the build or the library has it.
is_variable() {
  [[ $1 == CC ]] || grep -rqw --include='*.bzl' --include='*.cc' -- "$1" tools/bazel backends runtime bindings ||
    { echo "nothing reads the variable $1"; return 1; }
}

# command_line WORD...: scripts, their options, Bazel's flags and targets, and variables are there.
command_line() {
  local script word words
  while [[ ${1:-} == export || ${1:-} =~ ^[A-Z][A-Za-z_]*= ]]; do
    if [[ $1 != export ]]; then is_variable "${1%%=*}" || return; fi
    shift
  done
  case ${1:-} in
    "") ;;
    bazel)
      for word in "${@:2}"; do
        case $word in
          build | test | run) ;;
          --) break ;;  # What follows is for the program.
          -* | opt) is_bazel_option "$word" || return ;;
          //algorithms/edge_filter/...) ;;  # Made by the line before it.
          //*) is_target "$word" || return ;;
          *) echo "unknown word $word"; return 1 ;;
        esac
      done ;;
    tools/* | DIR/*)
      script=${1/#DIR\//tools/bazel/bundle_files/}
      [[ -x $script && -f $script ]] || { echo "there is no $1"; return 1; }
      for word in "${@:2}"; do
        case $word in
          --config=* | --//*) is_bazel_option "$word" || return ;;
          --*) has_option "$script" "$word" || return ;;
        esac
      done ;;
    compare.py) ;;  # Google Benchmark's.
    mv) ;;
    millrace | '$M')
      # reproduce has a folder beside the other commands'.
      [[ $2 == reproduce || -d tools/command/${2//-/_} ]] || { echo "there is no subcommand $2"; return 1; }
      for word in "${@:3}"; do
        [[ $word == --* ]] || continue
        grep -rqE --include='*.cc' --include='*.h' -- "$word([,\" ]|\$)" tools || { echo "no command takes $word"; return 1; }
      done ;;
    python3) [[ -f $2 ]] || { echo "there is no $2"; return 1; } ;;
    mpirun)  # The subcommand and its first argument, without the end of a file's name.
      word=$*
      read -ra words <<<"${word#*bazel-bin/tools/millrace }"
      run_by - tests/mpi/command_test.sh "${words[0]} ${words[1]%.*}" || return ;;
    *) echo "unknown command $1"; return 1 ;;
  esac
}

# names BLOCK: what the commands name is there.
names() {
  local line words
  while read -r line; do
    line=${line%%   #*}
    # Substitutions are one word each, and quotes hold patterns.
    line=$(sed -E "s/\\$\([^)]*\)/VALUE/g; s/'[^']*'/PATTERN/g" <<<"$line")
    read -ra words <<<"$line"
    command_line "${words[@]}" || return
  done <"$1"
}

# named BLOCK REASON: as exempt, but what the commands name is there.
named() { exempt "$1" "$2" && names "$1"; }

# commands_run_by BLOCK {PROGRAM WORDS}...: as run_by, and what the commands name is there. Commands of Bazel, and scripts that
# call it, cannot run inside of its tests: these programs are run by tools/test, which .ci/run calls, or are tests.
commands_run_by() { names "$1" && run_by "$@"; }

# begins_in BLOCK FILE: a test has the first line.
begins_in() { grep -qF -- "$(head -1 "$1")" "$2" || { echo "$2 does not have the first line"; return 1; }; }

# compiled BLOCK REASON: as exempt, but it is Python that compiles.
compiled() {
  exempt "$1" "$2" || return
  python3 -c 'import sys; compile(open(sys.argv[1]).read(), sys.argv[1], "exec")' "$1" || { echo "it does not compile"; return 1; }
}

# Blocks of these are compared with sources: docs/examples/first/readme_test.sh, docs/examples/waiting/waiting_test.cc;
# commands_test.sh runs the examples' commands. The page of Doxygen has none.
elsewhere=" first_program waiting reference "
pages=()
for page in docs/guide/*.md; do
  page=$(basename "$page" .md)
  [[ $elsewhere == *" $page "* ]] || pages+=("$page")
done
for page in "${pages[@]}"; do unrun_blocks "$page"; done

all_tests=(tools/test 'packages=(//...)')
all_toolkits=(tools/test 'options=("--config=$name")')
set_up=(tools/test 'setup_options+=(--lint "${toolkits[@]/#/--}")')
consumers=tests/consumers/run
guide_test=tests/end_to_end/guide_test.cc

block building "tools/test " commands_run_by \
  .ci/run 'tools/test" --lint --sanitizers --quick' tests/end_to_end/demo_test.sh 'tools/demo --vectors noise.y4m'
block building "bazel build -c opt //..." commands_run_by "${all_tests[@]}"
block building "bazel build -c opt --config=cuda //..." commands_run_by "${all_toolkits[@]}"
block building "export CUDA_HOME=... ROCM_PATH=..." named "it needs CUDA and HIP's headers for it, which apt does not have together"
block building "apt-get download" exempt "it unpacks 3 GB of packages of another release of Debian"
block building "tools/setup --mpi" commands_run_by "${set_up[@]}" "${all_toolkits[@]}"
block building "tools/setup --kokkos" commands_run_by "${set_up[@]}" "${all_toolkits[@]}"
block building "bazel build -c opt --config=kokkos_cuda" named "it needs a Kokkos that was built with CUDA, which no package has"
block building "module load" exempt "environment modules are a site's; the variables are those of the table above it"
block building "tools/bundle DIR " named "it builds every test once more, optimized, and a small FFmpeg"
block building "DIR/run_tests" named "it needs a bundle; run_benchmarks_test.sh has run_benchmarks run a program in place of millrace"
block building "local_repository" shown tests/consumers/bazel/WORKSPACE 's:/path/to/millrace:../../..:'
block building 'load("@millrace//tools:millrace.bzl"' shown tests/consumers/bazel/BUILD 's/"main"/"consumer"/'
block building "bazel test --config=asan" commands_run_by \
  tools/test '--config=asan_ubsan' tools/test '--config=tsan' tools/test 'LD_LIBRARY_PATH=$(tools/bazel/tsan_tbb)'
block building "tools/fuzz " commands_run_by tools/test 'tools/fuzz --seconds "$seconds" "${targets[@]}"'
block building "tools/bazel/compile_commands" commands_run_by \
  tools/lint 'tools/bazel/compile_commands ||' tools/lint 'tools/reference "$out"' tools/test 'tools/lint "${lint_options[@]}"'

block linking "tools/install" commands_run_by "$consumers" 'tools/install --prefix "$prefix" "$@"'
block linking "cc " run_by "$consumers" 'guide_block linking "cc "'
block linking "enable_language(CUDA)" run_by "$consumers" 'guide_block linking "enable_language"'
block linking "gfortran" run_by "$consumers" 'guide_block linking "gfortran"'
block linking "python3 -m venv" run_by "$consumers" 'guide_block linking "python3 -m venv"'
block linking "import millrace" run_by "$consumers" 'guide_block linking "import millrace"'

# Debian's packages are made of an installation, because building them from the sources compiles everything anew.
block packages "tools/package" commands_run_by \
  "$consumers" 'tools/package wheel --from "$prefix"' "$consumers" 'tools/package deb --from "$work/debian"' \
  "$consumers" 'tools/package tgz --from "$prefix"'
block packages "tools/install --prefix DIR --libdir" commands_run_by \
  "$consumers" 'tools/install --prefix "$work/debian" --libdir "lib/$(dpkg-architecture' \
  "$consumers" 'tools/package deb --from "$work/debian"'
block packages "pip install" run_by "$consumers" '"$work/venv/bin/pip" install --quiet --no-index'
block packages "find_package(millrace 0.1" shown tests/consumers/cmake/CMakeLists.txt 's/program/consumer/; s/millrace::millrace/millrace::tbb/'
block packages 'bazel_dep(name = "millrace"' shown tests/consumers/bazel_module/MODULE.bazel
block packages 'bazel_dep(name = "onetbb"' exempt \
  "a registry's modules are not here; the tag was tried by hand with a module of a test's own"
block packages "tools/release" commands_run_by \
  tests/packages/release_test.sh 'tools/release --draft --out' tests/packages/release_test.sh 'tools/release --tag --out'

block many_machines "tools/setup --mpi" commands_run_by \
  "${set_up[@]}" "${all_toolkits[@]}" tests/mpi/command_test.sh 'expect_same "sort" sort keys -o'
block many_machines "#include <millrace/algorithms/radix_sort/ranks" run_by docs/examples/ranks/ranks_test.cc "docs/guide/many_machines.md"
block many_machines "@millrace//algorithms/radix_sort" labels
block many_machines "bazel test --config=mpi --test_size_filters=enormous" named "it takes 5 GB of memory"
block many_machines "mpirun -n 4 --bind-to none bazel-bin/tools/millrace bench ranks -o" commands_run_by \
  tests/mpi/command_test.sh 'bench ranks'
block many_machines "mpirun -n 4 --bind-to none bazel-bin/tools/millrace bench ranks-tree" commands_run_by \
  tests/mpi/command_test.sh 'bench ranks'

ways=docs/examples/several_devices/count_ways_test.cc
for words in "struct Weights {" "  SharedSums ways(1);" "template <class Set>"; do
  block many_devices "$words" run_by $ways "docs/guide/many_devices.md"
done
examples=(docs/examples/commands_test.sh "page=docs/guide/many_devices.md")
block many_devices "bazel run -c opt //docs/examples:uts -- -t 1 -a 3 -d 10" commands_run_by "${examples[@]}"
block many_devices "bazel run -c opt //docs/examples:uts -- -t 1 -a 3 -d 8" commands_run_by "${examples[@]}"
block many_devices "mpirun -n 4" run_by tests/mpi/examples_test.sh '"$uts" -t 1 -a 3 -d 6 -b 4 -r 19 --policy $policy'

block adding_a_backend "bazel test //backends/null/..." commands_run_by "${all_tests[@]}"
block adding_a_backend "BACKEND = backend_entry(" shown backends/null/backend.bzl 's/NAME/null/'
block adding_a_backend "backend_conformance_test(" shown backends/null/BUILD 's/NAME/null/'

block adding_an_algorithm "tools/new_algorithm edge_filter" commands_run_by \
  "$consumers" 'tools/new_algorithm edge_filter &&' "$consumers" '"$copy/test" --gtest_filter'
block adding_an_algorithm "millrace_algorithm(" shown algorithms/idct/BUILD 's/"x"/"idct"/; s/\bx([_.])/idct\1/g'

for words in "import millrace" "for picture in" "frames = millrace"; do
  block h264 "$words" run_by bindings/python/tests/test_h264.py 'PAGE = ROOT / "docs" / "guide" / "h264.md"'
done
block laboratories "FOM cuda:0" run_by tests/end_to_end/report/report_exports_test.cc 'StartsWith("FOM ")'
# Its regular expressions are run; ReFrame and Ramble are not here.
exports_test=tests/end_to_end/report/report_exports_test.cc
exports=("$exports_test" AreFoundByTheRegularExpressionsOfThePage)
block laboratories "compare.py" run_by "$exports_test" AreComparedByTheScriptOfGoogleBenchmark
block laboratories "import reframe" run_by "${exports[@]}"
block laboratories "from ramble" run_by "${exports[@]}"
block laboratories "PP = " exempt "a formula, whose terms the page explains"
block laboratories "df = pandas" compiled "pandas and the P3 Analysis Library are on no machine of tests"
block many_streams "h264::FeatureStreams" shown algorithms/h264/features/tasks/feature_streams.h 's/h264:://; s:(//.*)::'
block measuring "{" run_by "$guide_test" TargetsOfThePageAreRead
block measuring "bazel build" named \
  "it measures for an hour; tests/scripts/measure_again_test.sh has the commands run, //tools/report:stored_page_test the page"
block motion "frame," begins_in tests/end_to_end/me/me_results_test.cc
block motion "import numpy" run_by "$consumers" 'guide_block motion "import numpy"'
block relays "relay," begins_in tests/end_to_end/three_star/three_star_test.cc
block results_file "python3 tools/report" run_by tests/end_to_end/bench/bench_test.cc "validate.py docs/benchmark_results.schema.json"
block run_rules "laptop.json: breaks" run_by \
  "$exports_test" "breaks the base rules" "$exports_test" "breaks: the commit is 0123abc-changed"

# of_pages TEST_SUITE: the names of the pages of a suite of guide_test.cc.
of_pages() { tr '\n' ' ' <"$guide_test" | grep -oE "Pages, $1, *testing::Values\([^)]*\)" | grep -oE '"[a-z0-9_]+"' | tr -d '"' | sort; }

# marked MARK: the names of the pages with blocks of that mark.
marked() { grep -lx -- "$1" docs/guide/*.md | xargs -n 1 basename -s .md | grep -vx 'first_program\|waiting' | sort; }

[[ $(of_pages GuideTest) == "$(marked '```sh')" ]] || broken "guide_test.cc does not run all pages with blocks that are marked sh"
[[ $(of_pages SmallerGuideTest) == "$(marked '```sh smaller')" ]] || broken "guide_test.cc does not run all pages with smaller blocks"
for page in "${pages[@]}"; do
  for file in "$scratch/$page"/*; do
    [[ ! -e $file ]] || broken "$page.md has a block that nothing checks, with no reason: $(head -1 "$file")"
  done
done
((failures == 0))
