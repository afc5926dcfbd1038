# SPDX-License-Identifier: Apache-2.0

"""The rule of fuzz targets."""

load("@rules_cc//cc:defs.bzl", "cc_binary")
load("//tools:millrace.bzl", "millrace_library", "millrace_test")

def millrace_fuzz(name, deps, srcs = None):
    """A fuzz target: NAME for tools/fuzz, which is built with --config=fuzz, and NAME_test, which replays its seeds.

    Args:
      name: ends in _fuzz; the seeds are in seeds/NAME without that.
      deps: what is fuzzed, and no more: sanitizers make all of it slow to compile.
      srcs: define LLVMFuzzerTestOneInput; NAME.cc unless given. None where `deps` have it.
    """
    seeds = "seeds/" + name[:-len("_fuzz")]
    millrace_library(
        name = name + "_target",
        testonly = True,
        srcs = [name + ".cc"] if srcs == None else srcs,
        alwayslink = True,  # Nothing but libFuzzer or the replay names what is in it.
        deps = deps,
    )
    millrace_test(
        name = name + "_test",
        size = "small",
        data = native.glob([seeds + "/**"]),
        linkstatic = True,
        tags = ["one_thread"],
        deps = [
            ":" + name + "_target",
            ":replay",
        ],
    )
    cc_binary(
        name = name,
        testonly = True,
        linkopts = ["-fsanitize=fuzzer"],
        tags = ["manual"],  # gcc has no libFuzzer.
        deps = [":" + name + "_target"],
    )
