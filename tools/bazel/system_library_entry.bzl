# SPDX-License-Identifier: Apache-2.0

"""Says how a library of the system is found: a row of the table in library_table.bzl, or of a backend's toolkits."""

def system_library_entry(
        variable,
        package,
        header,
        targets,
        deps = {},
        compiler = "",
        defines = [],
        linkopts = [],
        include_folders = [],
        library_folders = [],
        optional = False):
    """A library that is in the folder an environment variable names, or in the usual folders.

    Args:
      variable: the environment variable.
      package: what apt calls it, for the message when it is missing.
      header: proves that the library is there, and finds its include folder.
      targets: each target and what it links; "a|b" is whichever of the two is there. Without targets
        the repository has the header alone, as the file include/HEADER.
      deps: between targets of one library.
      compiler: a program of the toolkit, there as the target `compiler`.
      defines: for all that uses a target.
      linkopts: what every target needs of the system.
      include_folders: where the header is searched beside include/ and its folders of architectures.
      library_folders: where libraries are searched beside lib/, lib64/ and folders of architectures.
      optional: a build without it is possible. found.bzl of its repository says if it IS_FOUND; where it is missing, or
        the environment variable is "none", its targets are empty.

    Returns:
      a value of LIBRARIES.
    """
    return struct(
        finder = None,
        variable = variable,
        package = package,
        header = header,
        targets = targets,
        deps = deps,
        compiler = compiler,
        defines = defines,
        linkopts = linkopts,
        include_folders = include_folders,
        library_folders = library_folders,
        optional = optional,
    )

def found_library_entry(repository_rule):
    """A library that a repository rule of its own finds, which takes its name alone."""
    return struct(finder = repository_rule, variable = None)
