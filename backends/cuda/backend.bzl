# SPDX-License-Identifier: Apache-2.0

"""NVIDIA's GPUs."""

load("//backends:backend_entry.bzl", "backend_entry")
load("//backends/gpu:gpu_library.bzl", "cuda_library")
load("//tools/bazel:system_library_entry.bzl", "system_library_entry")

BACKEND = backend_entry(
    name = "cuda",
    cmake_language = "CUDA",
    cmake_options = [
        "--extended-lambda",
        "--expt-relaxed-constexpr",
        "-diag-suppress=20011,20012,20013,20014,20015",
    ],
    implementation = "gpu",
    library = cuda_library,
    optional = True,
    toolkits = {
        "cuda": system_library_entry(
            compiler = "nvcc",
            header = "cuda_runtime.h",
            include_folders = [
                "targets/x86_64-linux/include",
                "targets/sbsa-linux/include",
            ],
            library_folders = [
                "targets/x86_64-linux/lib",
                "targets/sbsa-linux/lib",
            ],
            linkopts = [
                "-ldl",
                "-lpthread",
                "-lrt",
            ],
            package = "nvidia-cuda-toolkit (or NVIDIA's own CUDA toolkit)",
            # Linked statically, so that programs start where CUDA is not installed.
            targets = {"cuda": ["cudart_static"]},
            variable = "CUDA_HOME",
        ),
    },
)
