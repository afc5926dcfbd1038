# SPDX-License-Identifier: Apache-2.0

"""Lists the backends of a build: those always linked, and the optional ones that flags requested."""

load("//backends:backends.bzl", "BACKENDS", "TARGETS")
load("//backends:optional.bzl", _if_linked = "if_linked", _only_with = "only_with")

if_linked = _if_linked
only_with = _only_with

def backend_label(backend):
    """Its library, or a target's, from whichever repository the caller is in."""
    return str(Label("//backends/" + backend.name))

def linked(labels, entries = BACKENDS):
    """Dependencies on those labels whose backend the build has.

    Args:
      labels: {name of a backend: label}
      entries: BACKENDS, or TARGETS for names of those.

    Returns:
      what to add to deps.
    """
    deps = []
    for entry in entries:
        if entry.name in labels:
            label = [labels[entry.name]]
            deps = deps + (if_linked(entry.name, label) if entry.optional else label)
    return deps

def linked_backends():
    """Dependencies on all backends the build has."""
    return linked({backend.name: backend_label(backend) for backend in BACKENDS})

def linked_targets(labels):
    """Dependencies on those labels whose target the build has: {name of a target: label}."""
    return linked(labels, TARGETS)
