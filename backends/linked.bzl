"""Which backends a build has: those always linked, and the optional ones it was asked for by their flags."""

load("//backends:backends.bzl", "BACKENDS")
load("//backends:optional.bzl", _if_linked = "if_linked", _only_with = "only_with")

if_linked = _if_linked
only_with = _only_with

def backend_label(backend):
    """Its library, from whichever repository the caller is in."""
    return str(Label("//backends/" + backend.name))

def linked(labels):
    """Dependencies on those labels whose backend the build has.

    Args:
      labels: {name of a backend: label}

    Returns:
      what to add to deps.
    """
    deps = []
    for backend in BACKENDS:
        if backend.name in labels:
            label = [labels[backend.name]]
            deps = deps + (if_linked(backend.name, label) if backend.optional else label)
    return deps
