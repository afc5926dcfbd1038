# SPDX-License-Identifier: Apache-2.0

"""Rules of conda's recipes of schema version 1, for recipes of several outputs: the keys of each section, and the keys that
it must have, as prefix-dev's recipe-format has them (schema.json of 2026-02-26). A section that is not here is rejected."""

from __future__ import annotations

from typing import Any, Optional

# {section: (keys, keys that must be there)}. A key with a section of its own names it after a colon.
SECTIONS: dict[str, tuple[str, str]] = {
    "recipe": (
        "schema_version context recipe:name source:sources build:build about:about extra outputs:outputs",
        "outputs",
    ),
    "name": ("name version", "name"),
    "url": ("url sha256 md5 file_name patches target_directory", "url"),
    "path": ("path sha256 md5 use_gitignore file_name filter patches target_directory", "path"),
    "build": ("number string skip noarch script files:files dynamic_linking prefix_detection python variant", ""),
    "staging_output": (
        "staging:staging source:sources requirements:staging_requirements build:staging_build",
        "staging",
    ),
    "staging": ("name", "name"),
    "staging_requirements": ("build host ignore_run_exports", ""),
    "staging_build": ("script", ""),
    "output": (
        "package:name inherit:inherit source:sources build:build requirements:requirements tests:tests about:about extra",
        "",
    ),
    "inherit": ("from run_exports", "from"),
    "requirements": ("build host run run_constraints run_exports ignore_run_exports", ""),
    "files": ("include exclude", ""),
    "about": ("homepage repository documentation license license_file summary description", ""),
    "script_test": ("script files requirements", "script"),
    "python_test": ("python:python", "python"),
    "python": ("imports pip_check python_version", "imports"),
    "contents_test": ("package_contents:contents", "package_contents"),
    "contents": ("files include lib bin site_packages strict", ""),
}  # fmt: skip


def section_of(item: dict[str, Any], sections: dict[str, str], otherwise: str) -> str:
    return next((section for key, section in sections.items() if key in item), otherwise)


# Sections that are lists, and which section an item is.
LISTS = {
    "sources": lambda item: section_of(item, {"url": "url"}, "path"),
    "outputs": lambda item: section_of(item, {"staging": "staging_output"}, "output"),
    "tests": lambda item: section_of(item, {"python": "python_test", "package_contents": "contents_test"}, "script_test"),
}


def problems(value: Any, section: str = "recipe", where: str = "") -> list[str]:
    """Returns what is wrong with a recipe, or with one of its sections, which is at `where`."""
    if section in LISTS:
        items = value if isinstance(value, list) else [value]
        return [each for i, item in enumerate(items) for each in problems(item, LISTS[section](item), f"{where}[{i}]")]
    if not isinstance(value, dict):
        # A name in place of a section.
        return [] if section == "inherit" and isinstance(value, str) else [f"{where} is not a section"]
    keys, wanted = SECTIONS[section]
    known: dict[str, Optional[str]] = {}
    for key in keys.split():
        name, _, below = key.partition(":")
        known[name] = below or None
    found = [f"{where} has no '{key}'" for key in wanted.split() if key not in value]
    for key, below in value.items():
        path = f"{where}.{key}".lstrip(".")
        if key not in known:
            found.append(f"'{path}' is not a key of {section}")
        elif known[key] is not None:
            found += problems(below, known[key], path)
    return found
