#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Recipes of packages can be read by what reads them, and agree with the tree. Runs on the source tree: by Bazel, or from
# its root by hand.
set -euo pipefail
if [[ -n ${TEST_SRCDIR:-} ]]; then cd "$(dirname "$(readlink -f WORKSPACE)")"; fi
# The python3 on PATH may be a module's that is without what the system's has.
for python in python3 /usr/bin/python3 none; do
  if "$python" -c 'import yaml' 2>/dev/null; then break; fi
done
if [[ $python == none ]]; then
  echo "skipped: no python3 here has yaml (Debian's package python3-yaml)"
  exit 0
fi
exec "$python" -B tests/packages/recipes.py -v
