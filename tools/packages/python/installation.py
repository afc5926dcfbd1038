# SPDX-License-Identifier: Apache-2.0

"""The works of others in an installation by tools/install."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import components
import elf


@dataclass(frozen=True)
class Works:
    """The works that the library and the command are made with. `dynamic` has the names of those that the loader finds on the
    machine; the files of the installation have parts of the others in themselves."""

    of_library: list[components.Component]
    of_command: list[components.Component]
    dynamic: set[str] = field(default_factory=set)

    def all(self) -> list[components.Component]:
        return [*self.of_library, *self.of_command]


def settings_of(prefix: Path) -> str:
    return next(prefix.rglob("pkgconfig/millrace.pc")).read_text()


def libraries_of(program: Path) -> dict[str, Path]:
    """Returns the shared libraries that a program is linked with itself, without those of glibc and gcc."""
    found = elf.resolve(program)
    system = re.compile(r"(ld-linux.*|libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s)\.so\.\d+")
    return {name: found[name] for name in elf.needed(program) if name in found and not system.fullmatch(name)}


def works_of(prefix: Path) -> Works:
    library = next(prefix.rglob("libmillrace.so.0")).resolve()
    linked = components.of_libraries(libraries_of(library), settings_of(prefix))
    command = prefix / "bin" / "millrace"
    of_command = components.of_command(libraries_of(command).values()) if command.exists() else []
    dynamic = {work.name for work in linked if work.files and work.file is not None and ".so" in work.file.name}
    dynamic |= {work.name for work in of_command if work.files}
    return Works(linked, of_command, dynamic)
