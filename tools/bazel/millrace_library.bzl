# SPDX-License-Identifier: Apache-2.0

"""Compiles a library of this repository, or of a user's that loads tools/millrace.bzl."""

load("@rules_cc//cc:defs.bzl", "cc_library")
load(":compile_together.bzl", "joined_sources")

def _repository_of(label):
    # Bazel before version 6 has the other name.
    return label.repo_name if hasattr(label, "repo_name") else label.workspace_name

def _is_ours():
    own = _repository_of(Label("//tools/bazel:millrace_library.bzl"))
    return (native.repo_name() if hasattr(native, "repo_name") else native.repository_name()[1:]) == own

# GCC 12 takes what is inlined from a compiled header for code of ours, and warns of strings that are in order.
_PRECOMPILED_COPTS = [
    "-Wno-array-bounds",
    "-Wno-restrict",
    "-Wno-stringop-overflow",
]

_PRECOMPILES = str(Label("//tools/bazel:precompiles_headers"))

def with_precompiled(header, deps, copts):
    """Returns deps and copts with a header of //tools/bazel that is compiled once for all sources."""
    return {
        "deps": deps + select({
            _PRECOMPILES: [str(Label("//tools/bazel:" + header))],
            "//conditions:default": [],
        }),
        "copts": copts + select({
            _PRECOMPILES: ["-include", "$(BINDIR)/tools/bazel/%s.h" % header] + _PRECOMPILED_COPTS,
            "//conditions:default": [],
        }),
    }

_TOGETHER = str(Label("//tools/bazel:compiles_together"))

def _together(name, srcs, copts, alone, testonly):
    """Returns srcs and copts with sources joined in builds with //tools/bazel:compile_together.

    clang-tidy and the other builds compile each source alone, so it includes all that it uses. Names of an anonymous
    namespace have to be different in all sources of a library.
    """
    joined = joined_sources(name, srcs, alone, testonly)
    if joined == srcs:
        return {"srcs": srcs, "copts": copts}
    return {
        "srcs": select({_TOGETHER: joined, "//conditions:default": srcs}),
        # GCC takes a class of such a source for one of a header, which is to have no members of an anonymous namespace.
        "copts": copts + select({_TOGETHER: ["-Wno-subobject-linkage"], "//conditions:default": []}),
    }

def millrace_library(name, deps = [], copts = [], srcs = [], alone = [], **kwargs):
    """A cc_library. In this repository its headers are <millrace/PACKAGE/NAME.h>; a user's keep their paths.

    Args:
      name: as everywhere.
      deps: as everywhere.
      copts: as everywhere.
      srcs: as everywhere. In this repository they are compiled together in builds with //tools/bazel:compile_together.
      alone: those of srcs that are always compiled alone.
      **kwargs: what cc_library takes.
    """
    compiled = with_precompiled("standard_headers", deps, copts) if srcs else {"deps": deps, "copts": copts}
    compiled["srcs"] = srcs
    if _is_ours() and type(srcs) == type([]):  # A select() has no list of sources here.
        compiled.update(_together(name, srcs, compiled["copts"], alone, kwargs.get("testonly", False)))
    compiled.update(kwargs)
    cc_library(
        name = name,
        include_prefix = "millrace/" + native.package_name() if _is_ours() else None,
        **compiled
    )
