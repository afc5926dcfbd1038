# SPDX-License-Identifier: Apache-2.0

"""Libraries of the system as Bazel repositories: @tbb, @gtest, @ffmpeg and so on.

A library is searched for in the folder its environment variable names, then in the usual folders. A repository is
only read when a target that is being built needs it; when it is missing and not optional the build stops with one
sentence.
"""

load("//tools/bazel:library_table.bzl", "LIBRARIES")
load("//tools/bazel:system_library.bzl", "system_library")

def system_libraries(without = []):
    """Declares every library of the table but those.

    Args:
      without: names that the caller declares.
    """
    for name, library in LIBRARIES.items():
        if name in without:
            continue
        if library.finder:
            library.finder(name = name)
            continue
        system_library(
            name = name,
            library = name,
            variable = library.variable,
            package = library.package,
            header = library.header,
            compiler = library.compiler,
            targets = library.targets,
            target_deps = library.deps,
            defines = library.defines,
            linkopts = library.linkopts,
            include_folders = library.include_folders,
            library_folders = library.library_folders,
            optional = library.optional,
        )
