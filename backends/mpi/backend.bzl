# SPDX-License-Identifier: Apache-2.0

"""MPI. It has no processors, but the ranks that work with this one (runtime/ranks/world.h)."""

load("//backends:backend_entry.bzl", "backend_entry")
load("//backends/mpi:mpi_library.bzl", "mpi_library")
load("//tools/bazel:system_library_entry.bzl", "found_library_entry")

BACKEND = backend_entry(
    name = "mpi",
    optional = True,
    toolkits = {"mpi": found_library_entry(mpi_library)},
)
