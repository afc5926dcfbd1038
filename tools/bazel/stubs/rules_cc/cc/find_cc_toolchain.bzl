# SPDX-License-Identifier: Apache-2.0

"""The C++ toolchain of a rule, under the names rules_cc gives it."""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", _find_cpp_toolchain = "find_cpp_toolchain")

find_cc_toolchain = _find_cpp_toolchain
find_cpp_toolchain = _find_cpp_toolchain
