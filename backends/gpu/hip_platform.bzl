# SPDX-License-Identifier: Apache-2.0

"""A flag: the vendor whose GPUs HIP runs on, "amd" or "nvidia". For "nvidia", HIP is headers over CUDA."""

_PLATFORMS = ["amd", "nvidia"]

def _platform_impl(ctx):
    if ctx.build_setting_value not in _PLATFORMS:
        fail("%s is %s; it is one of %s" % (ctx.label, ctx.build_setting_value, ", ".join(_PLATFORMS)))
    return []

hip_platform = rule(
    doc = "The flag.",
    implementation = _platform_impl,
    build_setting = config.string(flag = True),
)

_HAS_HIP = str(Label("//backends:has_hip"))
_ON_NVIDIA = str(Label("//backends/%s:on_nvidia" % "hip"))

def by_platform(amd, nvidia):
    """The one or the other."""
    return select({_ON_NVIDIA: nvidia, "//conditions:default": amd})

def if_hip(amd, nvidia):
    """The same in builds with HIP, else nothing: a toolkit that is missing stops no other build."""
    return select({_ON_NVIDIA: nvidia, _HAS_HIP: amd, "//conditions:default": []})
