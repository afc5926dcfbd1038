# SPDX-License-Identifier: Apache-2.0

"""Macros that compile GPU sources: once for each GPU target, by its own compiler, all into one program.

Each macro takes what millrace_library takes and is the `library` of its target's entry in backends/backends.bzl.
Sources are ordinary .cc files; see backends/gpu/api.h. `host_srcs` are sources without code for devices, which the host's
compiler compiles in less time.
"""

load("//backends:optional.bzl", "if_linked")
load("//backends/gpu:gpu_objects.bzl", "gpu_objects")
load("//backends/gpu:hip_platform.bzl", "by_platform", "if_hip")
load("//tools/bazel:millrace_library.bzl", "millrace_library")

def _api_define(target, header = "api.h"):
    return "MILLRACE_GPU_API=<millrace/backends/%s/%s>" % (target, header)

def _label(target, name):
    return str(Label("//backends/%s:%s" % (target, name)))

def simt_library(name, srcs = [], host_srcs = [], deps = [], local_defines = [], **kwargs):
    """A millrace_library of GPU sources that run on the CPU."""
    millrace_library(
        name = name,
        srcs = srcs + host_srcs,
        deps = deps + [_label("simt", "api")],
        local_defines = local_defines + [_api_define("simt")],
        **kwargs
    )

def cuda_library(name, **kwargs):
    """A millrace_library of GPU sources compiled by nvcc."""
    compiler = if_linked("cuda", [str(Label("@cuda//:compiler"))])
    _vendor_library("cuda", "nvcc", compiler, name, **kwargs)

def nvcc_objects(name, **kwargs):
    """Objects that nvcc makes of sources of any kind; takes what gpu_objects takes."""
    gpu_objects(
        name = name,
        archs = _label("cuda", "archs"),
        compiler = if_linked("cuda", [str(Label("@cuda//:compiler"))]),
        kind = "nvcc",
        **kwargs
    )

def _hip_host_defines():
    return by_platform(
        amd = ["__HIP_PLATFORM_AMD__"],
        nvidia = ["__HIP_PLATFORM_NVIDIA__"],
    )

def hip_library(name, **kwargs):
    """A millrace_library of GPU sources compiled by hipcc, or for HIP on NVIDIA's GPUs by nvcc."""
    kind = by_platform(amd = "hipcc", nvidia = "nvcc")
    compiler = if_hip(
        amd = [str(Label("@rocm//:compiler"))],
        nvidia = [str(Label("@cuda//:compiler"))],
    )
    _vendor_library("hip", kind, compiler, name, host_defines = _hip_host_defines(), **kwargs)

def _vendor_library(
        target,
        kind,
        compiler,
        name,
        srcs = [],
        host_srcs = [],
        hdrs = [],
        deps = [],
        local_defines = [],
        host_defines = [],
        testonly = False,
        tags = [],
        target_compatible_with = [],
        **kwargs):
    deps = deps + [_label(target, "api")]  # Which makes this, too, part only of builds with the target.
    common = dict(testonly = testonly, tags = tags, target_compatible_with = target_compatible_with)
    if hdrs:
        millrace_library(
            name = name + "_headers",
            hdrs = hdrs,
            deps = deps,
            **common
        )
        deps = deps + [":" + name + "_headers"]
    gpu_objects(
        name = name + "_objects",
        srcs = srcs,
        archs = _label(target, "archs"),
        compiler = compiler,
        kind = kind,
        local_defines = local_defines + [_api_define(target)],
        deps = deps,
        **common
    )
    millrace_library(
        name = name,
        srcs = [":" + name + "_objects"] + host_srcs,
        linkstatic = True,  # A program has one copy of the vendor's library, which knows all its kernels.
        local_defines = local_defines + host_defines + [_api_define(target, "host_api.h")],
        deps = deps,
        **dict(common, **kwargs)
    )
