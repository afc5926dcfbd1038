"""The backends there are. Adding one is its folder under backends/ and its entry here."""

load("//backends/gpu:gpu_library.bzl", "cuda_library", "hip_library", "simt_library")
load("//tools:millrace_library.bzl", "millrace_library")

# name: its folder, its library in there, and what it is called at run time.
# optional: only in builds with --//backends:with_NAME, because it needs a toolkit that may be missing.
# library: compiles the sources of task sets and algorithms for it; takes what millrace_library takes.
# implementation: which of an algorithm's implementations it uses; backends that share sources share it.
BACKENDS = [
    struct(
        name = "tbb",
        optional = False,
        library = millrace_library,
        implementation = "tbb",
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
