# SPDX-License-Identifier: Apache-2.0

"""Simulated GPUs: the CPU runs the sources that are written for GPUs."""

load("//backends:backend_entry.bzl", "backend_entry")
load("//backends/gpu:gpu_library.bzl", "simt_library")
load("//tools/bazel:system_library_entry.bzl", "system_library_entry")

BACKEND = backend_entry(
    name = "simt",
    implementation = "gpu",
    library = simt_library,
    toolkits = {
        "boost_context": system_library_entry(
            header = "boost/context/fiber.hpp",
            package = "libboost-context-dev",
            targets = {"boost_context": ["boost_context"]},
            variable = "BOOST_ROOT",
        ),
    },
)
