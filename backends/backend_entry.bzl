# SPDX-License-Identifier: Apache-2.0

"""Rules that the backend.bzl of a backend's folder is made of."""

def target_entry(name, library, implementation, optional = False):
    """Returns a target that task sets and algorithms are compiled for: all backends of the CPU alike, or one backend.

    Args:
      name: the folder with its task_target.h, and DeviceInfo::target.
      library: the macro that compiles the sources; it takes what millrace_library takes.
      implementation: which of an algorithm's implementations it uses; targets that share sources share it.
      optional: True if the target is a backend's that is optional.

    Returns:
      an element of TARGETS.
    """
    return struct(
        name = name,
        library = library,
        implementation = implementation,
        optional = optional,
    )

def backend_entry(
        name,
        optional = False,
        library = None,
        implementation = None,
        toolkits = {},
        cmake_language = "CXX",
        cmake_options = [],
        cmake_links = []):
    """A backend.

    Args:
      name: its folder, its library in there, and Backend::name().
      optional: True for a backend that is only in builds with --//backends:with_NAME, because its toolkit may be missing.
      library: as in target_entry, with `implementation`, for a backend that is a target of its own. Task sets for
          another one run on the target "cpu".
      implementation: as in target_entry.
      toolkits: {name of a repository: system_library_entry(...) or found_library_entry(...)}, which its sources use. Each
          name is also in use_repo of MODULE.bazel, which takes only literals.
      cmake_language: CMake's name of the language that task sets are compiled as.
      cmake_options: options of the compiler of that language.
      cmake_links: targets of CMake that are linked to millrace::NAME if the program has found them.

    Returns:
      an element of BACKENDS.
    """
    return struct(
        name = name,
        optional = optional,
        target = target_entry(name, library, implementation, optional) if library else None,
        toolkits = toolkits,
        cmake_language = cmake_language,
        cmake_options = cmake_options,
        cmake_links = cmake_links,
    )

def cmake_settings(backends):
    """Returns the facts about backends that the package of CMake has.

    Args:
      backends: elements of BACKENDS.

    Returns:
      lines of CMake that set _millrace_{language,options,links}_NAME, each where a backend has it.
    """
    lines = []
    for backend in backends:
        for variable, words in [
            ("language", [backend.cmake_language]),
            ("options", backend.cmake_options),
            ("links", backend.cmake_links),
        ]:
            if words:
                lines.append("  set(_millrace_%s_%s %s)" % (variable, backend.name, " ".join(words)))
    return lines
