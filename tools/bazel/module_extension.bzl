# SPDX-License-Identifier: Apache-2.0

"""The libraries for MODULE.bazel: the system's, or modules that the root module names.

    bazel_dep(name = "onetbb", version = "2022.0.0")
    system = use_extension("@millrace//tools/bazel:module_extension.bzl", "system")
    system.from_module(library = "tbb", targets = {"@onetbb//:tbb": "tbb"})
"""

load("//tools/bazel:library_table.bzl", "LIBRARIES")
load("//tools/bazel:system_libraries.bzl", "system_libraries")
load("//tools/bazel:system_library.bzl", "FOUND")

_TARGET = """
cc_library(
    name = "{name}",
    defines = {defines},
    deps = ["{actual}"],
    visibility = ["//visibility:public"],
)
"""

def _module_library_impl(ctx):
    names = ctx.attr.targets.values()
    missing = [name for name in ctx.attr.names if name not in names]
    unknown = [name for name in names if name not in ctx.attr.names]
    if missing or unknown:
        fail("from_module(library = \"%s\") names the targets %s; it must name %s" %
             (ctx.attr.library, ", ".join(sorted(names)), ", ".join(sorted(ctx.attr.names))))
    ctx.file("BUILD", "load(\"@rules_cc//cc:defs.bzl\", \"cc_library\")\n" + "".join([
        _TARGET.format(name = name, actual = str(target), defines = ctx.attr.defines)
        for target, name in ctx.attr.targets.items()
    ]))
    ctx.file("found.bzl", FOUND)

_module_library = repository_rule(
    doc = "A module's targets by the names that a system library has.",
    implementation = _module_library_impl,
    attrs = {
        "defines": attr.string_list(doc = "Of what uses it, as for the system's."),
        "library": attr.string(mandatory = True),
        "names": attr.string_list(mandatory = True),
        "targets": attr.label_keyed_string_dict(mandatory = True),
    },
)

def _chosen(ctx):
    """{library: targets} of the root module. Others' are theirs, and this module has none."""
    chosen = {}
    for module in ctx.modules:
        for tag in module.tags.from_module if module.is_root else []:
            if tag.library not in LIBRARIES:
                fail("from_module(library = \"%s\") is no library of Millrace; there are %s" %
                     (tag.library, ", ".join(sorted(LIBRARIES))))
            if tag.library in chosen:
                fail("from_module(library = \"%s\") stands twice; leave one" % tag.library)
            chosen[tag.library] = tag.targets
    return chosen

def _system_impl(ctx):
    chosen = _chosen(ctx)
    system_libraries(without = chosen.keys())
    for library, targets in chosen.items():
        _module_library(
            name = library,
            defines = LIBRARIES[library].defines,
            library = library,
            names = LIBRARIES[library].targets.keys(),
            targets = targets,
        )

system = module_extension(
    implementation = _system_impl,
    tag_classes = {
        "from_module": tag_class(
            doc = "Has targets of modules in place of a library of the system.",
            attrs = {
                "library": attr.string(mandatory = True, doc = "Its name in tools/bazel/library_table.bzl, such as tbb."),
                "targets": attr.label_keyed_string_dict(mandatory = True, doc = "The table's name of each target."),
            },
        ),
    },
)
