# SPDX-License-Identifier: Apache-2.0

"""AMD's GPUs, or NVIDIA's through the headers of HIP."""

load("//backends:backend_entry.bzl", "backend_entry")
load("//backends/gpu:gpu_library.bzl", "hip_library")
load("//tools/bazel:system_library_entry.bzl", "system_library_entry")

BACKEND = backend_entry(
    name = "hip",
    cmake_language = "HIP",
    cmake_options = ["-D__HIP_PLATFORM_AMD__"],
    implementation = "gpu",
    library = hip_library,
    optional = True,
    toolkits = {
        "hip_nvidia": system_library_entry(
            header = "hip/nvidia_detail/nvidia_hip_math_constants.h",  # Older ones do not compile with CUDA 12.
            package = "libamdhip64-dev of HIP 5.7 or 6",
            targets = {"hip_nvidia": []},
            variable = "ROCM_PATH",
        ),
        "rocm": system_library_entry(
            compiler = "hipcc",
            header = "hip/hip_runtime.h",
            package = "hipcc libamdhip64-dev librocprim-dev",
            # The backend loads the library at run time, so that programs start where it is not installed.
            targets = {"rocm": []},
            variable = "ROCM_PATH",
        ),
    },
)
