#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The symbols that libmillrace.so shows are Millrace's own, and the C interface's are all there.
set -euo pipefail
library=tools/bazel/install_files/libmillrace.so
failures=0

fail() {
  echo "BROKEN: $1"
  failures=$((failures + 1))
}

shown=$(nm -D --defined-only "$library")
((failures == 0)) && [[ -n $shown ]] || fail "nothing is shown"

# g++ emits some functions of libstdc++ again, which have a version there: the linker then shows them here, too.
standard() {
  nm -D --defined-only "$(g++ -print-file-name=libstdc++.so.6)" | awk '{ sub(/@.*/, "", $NF); print $NF }'
}
c='millrace_[a-z0-9_]+@@MILLRACE_[0-9]+'
cxx='(_ZNK?8|_ZT[VTIS]N8|_ZT[hvc][a-z0-9_]*_ZN8|_ZT[hvc]n?[a-z0-9_]*_N8)millrace[^@]*@@MILLRACE_CXX_[0-9]+'
others=$(awk '{ print $NF }' <<<"$shown" | grep -vE "^($c|$cxx|MILLRACE_[A-Z0-9_]+(@@.*)?)$" |
  grep -vxFf <(standard) || true)
[[ -z $others ]] || fail "these are not Millrace's: $others"

# One of a kind in a process, however many copies of the library are loaded, which then stay for ever.
unique=$(nm -DC --defined-only "$library" | awk '$2 == "u"')
[[ -z $unique ]] || fail "these are shared by all copies in a process, and keep it from being unloaded: $unique"

for name in version error_message device_open_version queue_create buffer_create sort idct motion_search \
  three_star_visit; do
  grep -q " millrace_$name@@MILLRACE_0$" <<<"$shown" || fail "millrace_$name is not shown"
done
grep -q ' _ZN8millrace11open_deviceE.*@@MILLRACE_CXX_[0-9]*$' <<<"$shown" || fail "millrace::open_device is not shown"

[[ $(readelf -d "$library" | sed -nE 's/.*SONAME.*\[(.*)\]/\1/p') == libmillrace.so.0 ]] || fail "the soname is another"

((failures == 0)) && echo "$(wc -l <<<"$shown") symbols, all Millrace's"
((failures == 0))
