#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Called by conda's build in the source folder; PREFIX and SP_DIR are of the package's environment.
set -euo pipefail
export TBBROOT=$PREFIX HIGHWAY_ROOT=$PREFIX BOOST_ROOT=$PREFIX NLOHMANN_JSON_ROOT=$PREFIX
tools/install --prefix "$PREFIX" --no-command
mkdir -p "$SP_DIR/millrace"
cp bindings/python/millrace/*.py bindings/python/millrace/py.typed "$SP_DIR/millrace"
