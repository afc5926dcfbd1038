"""The backends of a build. Adding one is its folder under backends/ and its line here."""

BACKENDS = [
    "tbb",
]
