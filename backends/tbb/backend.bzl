# SPDX-License-Identifier: Apache-2.0

"""The CPU through oneTBB."""

load("//backends:backend_entry.bzl", "backend_entry")
load("//tools/bazel:system_library_entry.bzl", "system_library_entry")

BACKEND = backend_entry(
    name = "tbb",
    toolkits = {
        "tbb": system_library_entry(
            header = "oneapi/tbb.h",
            library_folders = ["lib/intel64/gcc4.8"],
            package = "libtbb-dev",
            targets = {"tbb": ["tbb"]},
            variable = "TBBROOT",
        ),
    },
)
