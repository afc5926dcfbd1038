# SPDX-License-Identifier: Apache-2.0

"""The system libraries for MODULE.bazel."""

load("//tools/bazel:system_libraries.bzl", "system_libraries")

def _system_impl(_ctx):
    system_libraries()

system = module_extension(implementation = _system_impl)
