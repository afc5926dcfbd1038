#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each script that a person calls says by -h and --help what it does, and does nothing else. Runs on the source tree: by Bazel, or
# from its root by hand.
set -euo pipefail
if [[ -n ${TEST_SRCDIR:-} ]]; then cd "$(dirname "$(readlink -f WORKSPACE)")"; fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

# Scripts that only others call, with the one that does.
called_by_others=(
  tests/consumers/check_debian_packages    # tests/consumers/run
  tests/consumers/check_wheel              # tests/consumers/run
  tests/consumers/guide_block              # tests/consumers/run, guide_commands_test.sh
  tools/bazel/bundle_files/small_ffmpeg    # tools/bundle
  tools/bazel/count_tests                  # tools/test
  tools/bazel/doxygen_filter               # Doxygen, by tools/bazel/Doxyfile
  tools/bazel/find_clang                   # tools/fuzz
  tools/bazel/install_files/man_pages      # tools/install
  tools/bazel/install_files/public_headers  # tools/install
  tools/bazel/workspace_status             # Bazel, by .bazelrc
  tools/packages/conda/build.sh            # conda-build
  tools/packages/cpack/pack                # tools/package
  tools/packages/debian/build              # tools/package
  tools/packages/debian/rules              # dpkg-buildpackage
  tools/packages/unpackaged/build          # recipes of Spack and conda
)
mapfile -t scripts < <(find tools tests/conformance tests/consumers .ci -type f -perm -u+x -not -name '*_test.sh' | sort |
  comm -23 - <(printf '%s\n' "${called_by_others[@]}" | sort))
((${#scripts[@]} > 20)) || { echo "BROKEN: ${#scripts[@]} scripts to check"; exit 1; }
for script in "${called_by_others[@]}"; do
  [[ -x $script ]] || { echo "BROKEN: $script is not there, but in the list"; failures=$((failures + 1)); }
done

# helps SCRIPT OPTION: true if it says what SCRIPT does. It is called from another folder by a relative path.
helps() {
  local script=$1 option=$2 status=0
  (cd docs && "../$script" "$option" >"$scratch/out" 2>"$scratch/err" </dev/null) || status=$?
  ((status == 0)) || { echo "status $status: $(cat "$scratch/out" "$scratch/err")"; return 1; }
  [[ ! -s $scratch/err ]] || { echo "on standard error: $(cat "$scratch/err")"; return 1; }
  head -1 "$scratch/out" | grep -qE "(^|[ /:])${script##*/}\b" ||
    { echo "the first line does not name it: $(head -1 "$scratch/out")"; return 1; }
  # A shell script prints the comment that it begins with.
  if head -1 "$script" | grep -q bash; then
    awk 'NR > 2 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$script" | diff "$scratch/out" -
  fi
}

for script in "${scripts[@]}"; do
  # One that does not know the option may do its work.
  if ! grep -qE -e '--help|argparse' "$script"; then
    echo "BROKEN: $script knows no --help"
    failures=$((failures + 1))
    continue
  fi
  for option in -h --help; do
    if helps "$script" "$option"; then
      echo "ok: $script $option"
    else
      echo "BROKEN: $script $option"
      failures=$((failures + 1))
    fi
  done
done
((failures == 0))
