# SPDX-License-Identifier: Apache-2.0

"""Rules that optional backends are made of: they are in a build when their flag says so."""

def _flag_impl(_ctx):
    return []

_flag = rule(
    implementation = _flag_impl,
    build_setting = config.bool(flag = True),
)

def backend_flag(name):
    """The flag with_NAME of an optional backend, and the config_setting has_NAME; both are to be in //backends."""
    _flag(
        name = "with_" + name,
        build_setting_default = False,
        visibility = ["//visibility:public"],
    )
    native.config_setting(
        name = "has_" + name,
        flag_values = {":with_" + name: "True"},
        visibility = ["//visibility:public"],
    )

def if_linked(name, then, otherwise = []):
    """`then` in builds with an optional backend. Its toolkit is such a dependency: missing, it stops no other build."""
    return select({
        str(Label("//backends:has_" + name)): then,
        "//conditions:default": otherwise,
    })

def only_with(name):
    """target_compatible_with of an optional backend's library: `//...` without its flag skips what depends on it."""
    return if_linked(name, [], [str(Label("//backends:not_in_this_build"))])
