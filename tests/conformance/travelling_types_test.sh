#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A task type that cannot travel does not compile in a run of a group, of ranks or of a queue's SharedTasks, and the
# compiler's error has its name. Runs on the source tree: by Bazel, or from its root by hand.
set -euo pipefail
if [[ -n ${TEST_SRCDIR:-} ]]; then cd "$(dirname "$(readlink -f WORKSPACE)")"; fi

failures=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
ln -s "$PWD" "$scratch/millrace"

# Types of which only the first may travel.
cat >"$scratch/types.h" <<'END'
#include <millrace/runtime/group/run_shared_tasks.h>
#include <millrace/runtime/ranks/run_ranked_tasks.h>

#include <cstdint>

struct Goes {
  static constexpr bool kTravels = true;
  std::uint32_t number;
};
struct HoldsAPointer {
  static constexpr bool kTravels = true;
  std::uint32_t number;
  const int* data;
};
struct DoesNotSay {
  std::uint32_t number;
};
struct HasLevels {
  static constexpr bool kTravels = true;
  static constexpr bool kUsesLevels = true;
  std::uint32_t number;
};
END

# compile TYPE WHERE...: what the compiler says of runs of a set with the type. Its status is the compiler's.
compile() {
  local type=$1 where
  shift
  printf '#include "types.h"\nusing Tasks = millrace::TaskSet<%s>;\n' "$type" >"$scratch/run.cc"
  for where; do
    echo "void run($where where, const millrace::SharedTasks<Tasks>& tasks) { run_tasks(where, tasks); }" >>"$scratch/run.cc"
  done
  "${CXX:-g++}" -std=c++20 -I"$scratch" -fsyntax-only "$scratch/run.cc" 2>&1
}

# reject TYPE WHERE WORDS: a run does not compile, and the errors have the words and a line with the type's name.
reject() {
  if compile "$1" "$2" >"$scratch/errors"; then
    echo "FAILED: a run of $1 on $2 compiles"
  elif ! grep -q -- "$3" "$scratch/errors" || ! grep -q "TravellingTask<$1>" "$scratch/errors"; then
    echo "FAILED: the errors of a run of $1 on $2 are without '$3' or TravellingTask<$1>:"
    cat "$scratch/errors"
  else
    return 0
  fi
  failures=$((failures + 1))
}

all=("const millrace::DeviceGroup&" "const millrace::DistributedQueue&" "millrace::Queue&")
if ! compile Goes "${all[@]}" >"$scratch/errors"; then
  echo "FAILED: runs of a type that may travel do not compile:"
  cat "$scratch/errors"
  failures=1
fi
for where in "${all[@]}"; do
  reject HoldsAPointer "$where" "a task that travels holds no pointer"
done
reject DoesNotSay "${all[0]}" "states static constexpr bool kTravels"
reject HasLevels "${all[0]}" "a run that several devices share has no levels"
((failures == 0))
