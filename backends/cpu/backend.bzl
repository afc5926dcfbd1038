# SPDX-License-Identifier: Apache-2.0

"""The target that all backends of the CPU share."""

load("//backends:backend_entry.bzl", "target_entry")
load("//tools/bazel:millrace_library.bzl", "millrace_library")

TARGET = target_entry(
    name = "cpu",
    implementation = "cpu",
    library = millrace_library,
)
