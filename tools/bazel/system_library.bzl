# SPDX-License-Identifier: Apache-2.0

"""The repository rule behind tools/bazel/system_libraries.bzl."""

load("//tools/bazel:library_table.bzl", "LIBRARIES")

_USUAL_FOLDERS = ["/usr/local/{name}", "/opt/{name}", "/usr/local", "/usr"]

# The first one that exists is used; x86_64, aarch64 and powerpc64le machines have one of each kind.
_ARCHITECTURES = ["x86_64-linux-gnu", "aarch64-linux-gnu", "powerpc64le-linux-gnu"]
_INCLUDE_FOLDERS = ["include"]
_LIBRARY_FOLDERS = ["lib", "lib64"]

# Folders every C++ compiler and linker here searches by itself.
_KNOWN_TO_COMPILER = ["/usr/include", "/usr/local/include"] + ["/usr/include/" + a for a in _ARCHITECTURES]
_KNOWN_TO_LINKER = ["/usr/lib", "/usr/lib64", "/usr/local/lib"] + ["/usr/lib/" + a for a in _ARCHITECTURES]

# Content of found.bzl, which build files load where a library is optional.
FOUND = "IS_FOUND = True\n"
_NOT_FOUND = "IS_FOUND = False\n"

def _roots(ctx):
    """Folders to search, best first; only the named one when the variable is set."""
    if ctx.os.environ.get(ctx.attr.variable):
        return [ctx.os.environ[ctx.attr.variable]]
    roots = [folder.format(name = ctx.attr.library) for folder in _USUAL_FOLDERS]
    compiler = ctx.which(ctx.attr.compiler) if ctx.attr.compiler else None
    return roots + ([str(compiler.realpath.dirname.dirname)] if compiler else [])

def _find(ctx, folders, names):
    """The first of `folders` that holds one of `names`, and that name; or (None, None)."""
    for folder in folders:
        for name in names:
            if ctx.path(folder + "/" + name).exists:
                return folder, name
    return None, None

def _below(root, folders, stem):
    return [root + "/" + folder for folder in folders + [stem + "/" + a for a in _ARCHITECTURES]]

def _missing(ctx, what, roots):
    fail("%s is missing: %s is not under %s; install it (Debian, Ubuntu: apt install %s) or set %s to its folder." %
         (ctx.attr.library, what, " or ".join(roots), ctx.attr.package, ctx.attr.variable))

def _versioned_file(ctx, folder, name):
    """The shared library in `folder` whose name has a version, such as libarrow.so.2200 of a Python package; or None."""
    if not ctx.path(folder).exists:
        return None
    start = "lib%s.so." % name
    files = [path.basename for path in ctx.path(folder).readdir() if path.basename.startswith(start)]

    # Shorter names are those that programs request: libarrow.so.2200, not libarrow.so.2200.0.0.
    return sorted(files, key = len)[0] if files else None

def _find_library(ctx, root, alternatives):
    """The folder that holds the library, and what -l says for it: its name without lib and suffix, or :FILE."""
    folders = _below(root, _LIBRARY_FOLDERS + ctx.attr.library_folders, "lib")
    for name in alternatives:
        folder, _file = _find(ctx, folders, ["lib%s.so" % name, "lib%s.a" % name])
        if folder:
            return folder, name
    for name in alternatives:
        for folder in folders:
            file = _versioned_file(ctx, folder, name)
            if file:
                return folder, ":" + file
    return _missing(ctx, "lib" + alternatives[0], [root])

def _link_options(ctx, root, libraries):
    options = []
    for library in libraries:
        folder, name = _find_library(ctx, root, library.split("|"))
        if folder not in _KNOWN_TO_LINKER:
            options += ["-L" + folder, "-Wl,-rpath," + folder]
        options.append("-l" + name)
    return options

def _find_compiler(ctx, root):
    path = root + "/bin/" + ctx.attr.compiler
    return path if ctx.path(path).exists else ctx.which(ctx.attr.compiler) or _missing(ctx, "bin/" + ctx.attr.compiler, [root])

_TARGET = """
cc_library(
    name = "{name}",
    {headers}
    defines = {defines},
    linkopts = {linkopts},
    deps = {deps},
    visibility = ["//visibility:public"],
)
"""

def _write_empty(ctx):
    """Writes the repository of an optional library that is not there."""
    ctx.file("found.bzl", _NOT_FOUND)
    ctx.file("BUILD", "load(\"@rules_cc//cc:defs.bzl\", \"cc_library\")\n" + "".join([
        _TARGET.format(name = name, headers = "", defines = [], linkopts = [], deps = [])
        for name in ctx.attr.targets
    ]))

def _system_library_impl(ctx):
    given = ctx.os.environ.get(ctx.attr.variable)
    if ctx.attr.optional and given == "none":
        _write_empty(ctx)
        return
    roots = _roots(ctx)
    include, root = None, None
    for candidate in roots:
        include, _header = _find(ctx, _below(candidate, _INCLUDE_FOLDERS + ctx.attr.include_folders, "include"), [ctx.attr.header])
        if include:
            root = candidate
            break
    if not include and ctx.attr.optional and not given:
        _write_empty(ctx)
        return
    if not include:
        _missing(ctx, ctx.attr.header, roots)

    headers = ""
    if include not in _KNOWN_TO_COMPILER:
        ctx.symlink(include, "include")
        headers = "hdrs = glob([\"include/**\"]), includes = [\"include\"],"
    targets = [
        _TARGET.format(
            name = name,
            headers = headers,
            defines = ctx.attr.defines,
            linkopts = _link_options(ctx, root, libraries) + ctx.attr.linkopts,
            deps = [":" + dep for dep in ctx.attr.target_deps.get(name, [])],
        )
        for name, libraries in ctx.attr.targets.items()
    ]
    if not ctx.attr.targets:
        targets.append("exports_files([\"include/%s\"])\n" % ctx.attr.header)
    if ctx.attr.compiler:
        # Not a link: compilers search for their own files beside where they were started.
        ctx.file("compiler", "#!/bin/sh\nexec \"%s\" \"$@\"\n" % _find_compiler(ctx, root), executable = True)
        targets.append("exports_files([\"compiler\"])\n")
    ctx.file("found.bzl", FOUND)
    ctx.file("BUILD", "load(\"@rules_cc//cc:defs.bzl\", \"cc_library\")\n" + "".join(targets))

system_library = repository_rule(
    doc = "An installed library, found at its environment variable or in the usual folders.",
    implementation = _system_library_impl,
    attrs = {
        "compiler": attr.string(doc = "A program of it, whose folder on PATH also gives that of the library."),
        "defines": attr.string_list(doc = "Of what uses it."),
        "header": attr.string(mandatory = True, doc = "A file that proves it is there, and that is exported where there is no target."),
        "include_folders": attr.string_list(),
        "library_folders": attr.string_list(),
        "linkopts": attr.string_list(),
        "library": attr.string(mandatory = True, doc = "Its name in folders and messages."),
        "optional": attr.bool(doc = "Missing, it is a repository of empty targets, and not an error."),
        "package": attr.string(mandatory = True, doc = "What apt calls it, for the message."),
        "target_deps": attr.string_list_dict(),
        "targets": attr.string_list_dict(),
        "variable": attr.string(mandatory = True, doc = "The environment variable that names its folder."),
    },
    environ = ["PATH"] + sorted({
        library.variable: None
        for library in LIBRARIES.values()
        if library.variable
    }),
    local = True,
)
