# SPDX-License-Identifier: Apache-2.0

"""The backends there are, and what is compiled for them. Adding one is its folder under backends/ and its entry here."""

load("//backends/gpu:gpu_library.bzl", "cuda_library", "hip_library", "simt_library")
load("//tools/bazel:millrace_library.bzl", "millrace_library")

# name: its folder, its library in there, and what it is called at run time.
# optional: only in builds with --//backends:with_NAME, because it needs a toolkit that may be missing.
BACKENDS = [
    struct(name = "tbb", optional = False),
    struct(name = "kokkos", optional = True),
    struct(name = "cuda", optional = True),
    struct(name = "hip", optional = True),
    struct(name = "simt", optional = False),
    # No processors, but the ranks that work with this one (runtime/ranks/world.h).
    struct(name = "mpi", optional = True),
]

# What task sets and algorithms are compiled for: the processors of all CPU backends alike, or those of one GPU backend.
# name: the folder with its task_target.h, and what DeviceInfo::target says; an optional one is a backend's, too.
# library: compiles the sources; takes what millrace_library takes.
# implementation: which of an algorithm's implementations it uses; targets that share sources share it.
TARGETS = [
    struct(
        name = "cpu",
        optional = False,
        library = millrace_library,
        implementation = "cpu",
    ),
    struct(
        name = "cuda",
        optional = True,
        library = cuda_library,
        implementation = "gpu",
    ),
    struct(
        name = "hip",
        optional = True,
        library = hip_library,
        implementation = "gpu",
    ),
    struct(
        name = "simt",
        optional = False,
        library = simt_library,
        implementation = "gpu",
    ),
]
