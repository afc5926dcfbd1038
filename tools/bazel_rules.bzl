# SPDX-License-Identifier: Apache-2.0

"""The rules that a WORKSPACE requests, taken from this machine: call find_bazel_rules() first.

Bazel wants some rule sets even for plain C++ and would fetch them. Debian installs them beside Bazel, so
those found there are used; what its Bazel 4.2.3 cannot load is replaced by a stub of tools/bazel/stubs.
A Bazel from elsewhere, on a machine without these folders, fetches its own as usual.
"""

_FOLDERS = {
    "bazel_features": ["/usr/share/bazel/tools/features"],
    "bazel_skylib": ["/usr/share/bazel/tools/skylib"],
    "platforms": ["/usr/share/bazel/tools/platforms", "/usr/share/bazel/platforms"],
    "rules_cc": ["/usr/share/bazel/rules/cc"],
    "rules_java": ["/usr/share/bazel/rules/java"],
    "rules_license": ["/usr/share/bazel/rules/license"],
    "rules_proto": ["/usr/share/bazel/rules/proto"],
    "rules_python": ["/usr/share/bazel/rules/python"],
    "rules_shell": ["/usr/share/bazel/rules/shell"],
}

_STUBS = ["rules_cc", "rules_shell", "remote_coverage_tools"]

def _find_bazel_repositories_impl(ctx):
    found = {}
    for name, folders in _FOLDERS.items():
        present = [folder for folder in folders if ctx.path(folder).exists]
        if present:
            found[name] = present[0]

    # Debian's Bazel does not say its version; this attribute came with Bazel 6.
    if not hasattr(ctx, "workspace_root"):
        for name in _STUBS:
            found[name] = str(ctx.path(Label("//tools/bazel:stubs/%s/WORKSPACE" % name)).dirname)

    calls = [
        "    native.local_repository(name = \"%s\", path = \"%s\")" % item
        for item in found.items()
    ]
    ctx.file("BUILD")
    ctx.file("found.bzl", "\n".join(["def use_found_repositories():"] + calls + ["    pass", ""]))

_find_bazel_repositories = repository_rule(
    doc = "Writes found.bzl, whose use_found_repositories() declares what this machine has.",
    implementation = _find_bazel_repositories_impl,
    local = True,
)

def find_bazel_rules():
    """@bazel_repositories: call use_found_repositories() of its found.bzl next."""
    _find_bazel_repositories(name = "bazel_repositories")
