# SPDX-License-Identifier: Apache-2.0

"""Compiles a library of this repository, or of a user's that loads tools/millrace.bzl."""

load("@rules_cc//cc:defs.bzl", "cc_library")

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

def millrace_library(name, deps = [], copts = [], srcs = [], **kwargs):
    """A cc_library. In this repository its headers are <millrace/PACKAGE/NAME.h>; a user's keep their paths.

    Args:
      name: as everywhere.
      deps: as everywhere.
      copts: as everywhere.
      srcs: as everywhere.
      **kwargs: what cc_library takes.
    """
    compiled = with_precompiled("standard_headers", deps, copts) if srcs else {"deps": deps, "copts": copts}
    compiled.update(kwargs)
    cc_library(
        name = name,
        srcs = srcs,
        include_prefix = "millrace/" + native.package_name() if _is_ours() else None,
        **compiled
    )
