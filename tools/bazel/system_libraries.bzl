# SPDX-License-Identifier: Apache-2.0

"""Libraries of the system as Bazel repositories: @tbb, @gtest, @ffmpeg and so on.

A library is looked for in the folder its environment variable names, then in the usual places. A repository is
only looked at when a target that is being built needs it; when it is missing the build stops with one sentence.

To add a library, add a row to _LIBRARIES (and to MODULE.bazel).
"""

load("//tools/bazel:mpi_library.bzl", "mpi_library")
load("//tools/bazel:system_library.bzl", "system_library")

# header: proves that the library is there, and finds its include folder.
# targets: each target and what it links; "a|b" is whichever of the two is there.
# deps: between targets of one row.
# compiler: a program of the toolkit, there as the target `compiler`.
# defines: for all that uses a target.
# linkopts: what every target needs of the system.
_LIBRARIES = {
    "benchmark": struct(
        variable = "BENCHMARK_ROOT",
        package = "libbenchmark-dev",
        header = "benchmark/benchmark.h",
        targets = {"benchmark": ["benchmark"], "benchmark_main": ["benchmark_main"]},
        deps = {"benchmark_main": ["benchmark"]},
    ),
    "boost_context": struct(
        variable = "BOOST_ROOT",
        package = "libboost-context-dev",
        header = "boost/context/fiber.hpp",
        targets = {"boost_context": ["boost_context"]},
    ),
    "boost_headers": struct(
        variable = "BOOST_ROOT",
        package = "libboost-dev",
        header = "boost/version.hpp",
        targets = {"boost_headers": []},
    ),
    "cli11": struct(
        variable = "CLI11_ROOT",
        package = "libcli11-dev",
        header = "CLI/CLI.hpp",
        targets = {"cli11": []},
    ),
    "csv": struct(
        variable = "LIBCSV_ROOT",
        package = "libcsv-dev",
        header = "csv.h",
        targets = {"csv": ["csv"]},
    ),
    "cuda": struct(
        variable = "CUDA_HOME",
        package = "nvidia-cuda-toolkit (or NVIDIA's own CUDA toolkit)",
        header = "cuda_runtime.h",
        compiler = "nvcc",
        # Linked statically, so that programs start where CUDA is not installed.
        targets = {"cuda": ["cudart_static"]},
        linkopts = ["-ldl", "-lpthread", "-lrt"],
    ),
    "ffmpeg": struct(
        variable = "FFMPEG_ROOT",
        package = "libavformat-dev libavcodec-dev libswscale-dev libavutil-dev",
        header = "libavformat/avformat.h",
        targets = {"avformat": ["avformat", "avcodec", "swscale", "avutil"]},
    ),
    "gtest": struct(
        variable = "GTEST_ROOT",
        package = "libgtest-dev libgmock-dev",
        header = "gmock/gmock.h",
        targets = {"gtest": ["gmock", "gtest"], "gtest_main": ["gtest_main"]},
        deps = {"gtest_main": ["gtest"]},
    ),
    "hip_nvidia": struct(
        variable = "ROCM_PATH",
        package = "libamdhip64-dev of HIP 5.7 or 6",
        header = "hip/nvidia_detail/nvidia_hip_math_constants.h",  # Older ones do not compile with CUDA 12.
        targets = {"hip_nvidia": []},
    ),
    "highway": struct(
        variable = "HIGHWAY_ROOT",
        package = "libhwy-dev",
        header = "hwy/highway.h",
        targets = {"highway": ["hwy"], "vqsort": ["hwy_contrib"]},
        deps = {"vqsort": ["highway"]},
        # For all alike: an unoptimised program has one hwy::ChosenTarget::GetIndex(), which picks from
        # the tables of all sources by what one of them was compiled for.
        defines = ["HWY_WANT_AVX3_DL"],
    ),
    "json": struct(
        variable = "NLOHMANN_JSON_ROOT",
        package = "nlohmann-json3-dev",
        header = "nlohmann/json.hpp",
        targets = {"json": []},
    ),
    "kokkos": struct(
        variable = "Kokkos_ROOT",
        package = "libtrilinos-kokkos-dev or libkokkos-dev",
        header = "Kokkos_Core.hpp",
        targets = {"kokkos": ["kokkoscore|trilinos_kokkoscore"]},
    ),
    "png": struct(
        variable = "PNG_ROOT",
        package = "libpng-dev",
        header = "png.h",
        targets = {"png": ["png"]},
    ),
    "rocm": struct(
        variable = "ROCM_PATH",
        package = "hipcc libamdhip64-dev librocprim-dev",
        header = "hip/hip_runtime.h",
        compiler = "hipcc",
        # Loaded at run time by who uses it, so that programs start where it is not installed.
        targets = {"rocm": []},
    ),
    "tbb": struct(
        variable = "TBBROOT",
        package = "libtbb-dev",
        header = "oneapi/tbb.h",
        targets = {"tbb": ["tbb"]},
    ),
}

def system_libraries():
    """Declares every library of the table."""
    for name, library in _LIBRARIES.items():
        system_library(
            name = name,
            library = name,
            variable = library.variable,
            package = library.package,
            header = library.header,
            compiler = getattr(library, "compiler", ""),
            targets = library.targets,
            target_deps = getattr(library, "deps", {}),
            defines = getattr(library, "defines", []),
            linkopts = getattr(library, "linkopts", []),
        )
    mpi_library(name = "mpi")
