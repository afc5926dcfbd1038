#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks the blocks of the guide's pages that build, install, take long or need what a test machine may not have. Blocks that are
# marked sh, on the pages in run_pages, are run by tests/end_to_end/guide_test.cc. Each other block has one of the checks
# below, or a reason why it has none. Runs on the source tree: by Bazel, or from its root by hand.
set -euo pipefail
if [[ -n ${TEST_SRCDIR:-} ]]; then cd "$(dirname "$(readlink -f WORKSPACE)")"; fi

pages=(adding_a_backend adding_an_algorithm building linking many_devices many_machines packages)
run_pages=(encode files h264 idct laboratories many_streams measuring motion papers relays results_file run_rules sort)
failures=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

broken() {
  echo "BROKEN: $1"
  failures=$((failures + 1))
}

# blocks PAGE: writes each block to a file in $scratch/PAGE, in their order.
blocks() {
  mkdir "$scratch/$1"
  tests/consumers/guide_block "$1" | awk -v folder="$scratch/$1" '
    /^$/ { is_inside = 0; next }
    !is_inside { is_inside = 1; file = sprintf("%s/%02d", folder, ++number) }
    { print >file }'
}

# unrun_blocks PAGE: writes the blocks that are not marked sh.
unrun_blocks() {
  mkdir "$scratch/$1"
  awk '/^```sh$/ { is_run = 1; next } is_run { if (/^```$/) is_run = 0; next } { print }' "docs/guide/$1.md" >"$scratch/$1.md"
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

# exempt BLOCK REASON: no machine that runs tests can be relied on to run the block.
exempt() { [[ ${#2} -ge 20 ]] || { echo "the reason is missing"; return 1; }; }

# run_by BLOCK PROGRAM WORDS: a test runs the block, or its last command, and says so by the words.
run_by() { grep -qF -- "$3" "$2" || { echo "$2 does not have '$3'"; return 1; }; }

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

# commands BLOCK: what the commands name is there. They take too long to be run by a test, or need a toolkit, several
# machines or the network; continuous integration is tools/test itself, and mpirun's are in tests/mpi/command_test.sh.
commands() {
  local line words
  while read -r line; do
    line=${line%%   #*}
    # Substitutions are one word each, and quotes hold patterns.
    line=$(sed -E "s/\\$\([^)]*\)/VALUE/g; s/'[^']*'/PATTERN/g" <<<"$line")
    read -ra words <<<"$line"
    command_line "${words[@]}" || return
  done <"$1"
}

# json BLOCK: it is JSON.
json() { python3 -m json.tool "$1" >/dev/null 2>&1 || { echo "it is no JSON"; return 1; }; }

# begins_in BLOCK FILE: a test has the first line.
begins_in() { grep -qF -- "$(head -1 "$1")" "$2" || { echo "$2 does not have the first line"; return 1; }; }

# python BLOCK: it compiles, and the module has what it takes from `millrace`.
python() {
  local name
  python3 -c 'import sys; compile(open(sys.argv[1]).read(), sys.argv[1], "exec")' "$1" || { echo "it does not compile"; return 1; }
  for name in $(grep -oE 'millrace\.[a-z_]+' "$1" | sed 's/.*\.//' | sort -u); do
    grep -qw -- "$name" bindings/python/millrace/__init__.py || { echo "millrace has no $name"; return 1; }
  done
}

for page in "${pages[@]}"; do blocks "$page"; done
for page in "${run_pages[@]}"; do unrun_blocks "$page"; done
consumers=tests/consumers/run

block building "tools/test " commands
block building "bazel build -c opt //..." commands
block building "bazel build -c opt --config=cuda //..." commands
block building "export CUDA_HOME=... ROCM_PATH=..." commands
block building "apt-get download" exempt "it unpacks 3 GB of packages of another release of Debian"
block building "tools/setup --mpi" commands
block building "tools/setup --kokkos" commands
block building "bazel build -c opt --config=kokkos_cuda" commands
block building "module load" exempt "environment modules are a site's; the variables are those of the table above it"
block building "tools/bundle DIR " commands
block building "DIR/run_tests" commands
block building "local_repository" shown tests/consumers/bazel/WORKSPACE 's:/path/to/millrace:../../..:'
block building 'load("@millrace//tools:millrace.bzl"' shown tests/consumers/bazel/BUILD 's/"main"/"consumer"/'
block building "bazel test --config=asan" commands
block building "tools/fuzz " commands
block building "tools/bazel/compile_commands" commands

block linking "tools/install" commands
block linking "cc " run_by "$consumers" 'guide_block linking "cc "'
block linking "enable_language(CUDA)" run_by "$consumers" 'guide_block linking "enable_language"'
block linking "gfortran" run_by "$consumers" 'guide_block linking "gfortran"'
block linking "python3 -m venv" run_by "$consumers" 'guide_block linking "python3 -m venv"'
block linking "import millrace" run_by "$consumers" 'guide_block linking "import millrace"'

block packages "tools/package" commands
block packages "pip install" run_by "$consumers" '"$work/venv/bin/pip" install --quiet --no-index'
block packages "find_package(millrace 0.1" exempt "cmake projects of tests/consumers have both lines, with more components"
block packages 'bazel_dep(name = "millrace"' shown tests/consumers/bazel_module/MODULE.bazel
block packages 'bazel_dep(name = "onetbb"' exempt "a registry's modules are not here; the tag was tried by hand with a module of a test's own"
block packages "tools/release" commands

block many_machines "tools/setup --mpi" commands
block many_machines "#include <millrace/algorithms/radix_sort/ranks" run_by docs/examples/ranks/ranks_test.cc "docs/guide/many_machines.md"
block many_machines "@millrace//algorithms/radix_sort" labels
block many_machines "bazel test --config=mpi --test_size_filters=enormous" commands
block many_machines "mpirun -n 4 --bind-to none bazel-bin/tools/millrace bench ranks" commands

ways=docs/examples/several_devices/count_ways_test.cc
for words in "struct Weights {" "  SharedSums ways(1);" "template <class Set>"; do
  block many_devices "$words" run_by $ways "docs/guide/many_devices.md"
done
block many_devices "bazel run -c opt //docs/examples:uts -- -t 1 -a 3 -d 10" commands
block many_devices "bazel run -c opt //docs/examples:uts -- -t 1 -a 3 -d 8" commands
block many_devices "mpirun -n 4" exempt "tests/mpi runs this example with two ranks, because machines of tests have two cores"
block many_devices "millrace bench group-stress" commands

block adding_a_backend "bazel test //backends/null/..." commands
block adding_a_backend "BACKEND = backend_entry(" shown backends/null/backend.bzl 's/NAME/null/'
block adding_a_backend "backend_conformance_test(" shown backends/null/BUILD 's/NAME/null/'

block adding_an_algorithm "tools/new_algorithm edge_filter" commands
block adding_an_algorithm "millrace_algorithm(" shown algorithms/idct/BUILD 's/"x"/"idct"/; s/\bx([_.])/idct\1/g'

block h264 "import millrace" python
block h264 "for picture in" python
block h264 "frames = millrace" python
block h264 "millrace bench h264" commands
block laboratories "FOM cuda:0" exempt "the output of a command of the page"
block laboratories "import reframe" python
block laboratories "from ramble" python
block laboratories "PP = " exempt "a formula, whose terms the page explains"
block laboratories "millrace report before.json" commands
block laboratories "df = pandas" python
block many_streams "millrace features" commands
block many_streams "millrace bench" commands
block many_streams "h264::FeatureStreams" shown algorithms/h264/features/tasks/feature_streams.h 's/h264:://; s:(//.*)::'
block measuring "millrace bench --quick" commands
block measuring "millrace bench joins-metg" commands
block measuring "millrace bench tasks-stress" commands
block measuring "millrace bench auto" commands
block measuring "millrace bench sort" commands
block measuring "{" json
block measuring "bazel build" commands
block motion "frame," begins_in tests/end_to_end/me/me_results_test.cc
block motion "import numpy" python
block papers "millrace reproduce" commands
block relays "relay," begins_in tests/end_to_end/three_star/three_star_test.cc
block results_file "python3 tools/report" commands
block run_rules "laptop.json: breaks" exempt "the output of a command of the page, whose words report_exports_test.cc has"

# Blocks of these are compared with sources: docs/examples/first/readme_test.sh, docs/examples/waiting/waiting_test.cc;
# commands_test.sh runs the examples' commands. The page of Doxygen has none.
elsewhere=(first_program waiting reference)
for page in docs/guide/*.md; do
  page=$(basename "$page" .md)
  [[ " ${pages[*]} ${run_pages[*]} ${elsewhere[*]} " == *" $page "* ]] || broken "no test has the commands of $page.md"
done
for page in "${run_pages[@]}"; do
  grep -q "\"$page\"" tests/end_to_end/guide_test.cc || broken "guide_test.cc does not run $page.md"
done
for page in "${pages[@]}" "${run_pages[@]}"; do
  for file in "$scratch/$page"/*; do
    [[ ! -e $file ]] || broken "$page.md has a block that nothing checks, with no reason: $(head -1 "$file")"
  done
done
((failures == 0))
