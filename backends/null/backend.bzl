# SPDX-License-Identifier: Apache-2.0

"""One thread and the host's memory, for those who write a backend."""

load("//backends:backend_entry.bzl", "backend_entry")
load("//tools/bazel:millrace_library.bzl", "millrace_library")

BACKEND = backend_entry(
    name = "null",
    implementation = "null",
    library = millrace_library,
    optional = True,
)
