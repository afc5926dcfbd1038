# SPDX-License-Identifier: Apache-2.0

"""wheel.py PREFIX OUT: packs the Python package, with the library of the installation at PREFIX, as a wheel into OUT.

Libraries that glibc and gcc do not bring are copied into the wheel under names of its own, as auditwheel does, so that
another copy in the process is another library. The tag is computed from the symbols that all of them take.
"""

from __future__ import annotations

import base64
import hashlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

import components
import elf

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "bindings" / "python"
MOST_BYTES = 60_000_000

# A system that runs Python and has a C++ library has these.
SYSTEM_LIBRARIES = re.compile(
    r"(ld-linux.*|libc|libm|libdl|librt|libpthread|libutil|libstdc\+\+|libgcc_s)\.so\.\d+"
)
# A driver's, which only the machine that has the device can have.
DRIVER_LIBRARIES = re.compile(r"(libcuda|libnvidia-.*)\.so\.\d+")
# The CUDA runtime is linked statically; a wheel that needed it would depend on NVIDIA's wheels.
REJECTED_LIBRARIES = re.compile(r"(libcudart|libcublas|libcurand|libnvrtc|libamdhip64|libmpi)\.so.*")


def version() -> str:
    number = int(re.search(r"^#define MILLRACE_VERSION (\d+)$", (ROOT / "runtime/version.h").read_text(), re.M).group(1))
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


def libraries_to_bundle(library: Path) -> dict[str, Path]:
    """Returns those that `library` and its libraries need and a system need not have, by name."""
    found = elf.resolve(library)
    wanted: dict[str, Path] = {}
    waiting = elf.needed(library)
    while waiting:
        name = waiting.pop()
        if name in wanted or SYSTEM_LIBRARIES.fullmatch(name) or DRIVER_LIBRARIES.fullmatch(name):
            continue
        if REJECTED_LIBRARIES.fullmatch(name):
            raise SystemExit(f"wheel.py: {library.name} needs {name}, which a wheel cannot bring; build it without")
        wanted[name] = found[name].resolve()
        waiting += elf.needed(wanted[name])
    return wanted


def patch(*arguments: str) -> None:
    if shutil.which("patchelf") is None:
        raise SystemExit("wheel.py: patchelf is not here; install it (Debian's package patchelf)")
    subprocess.run(["patchelf", *arguments], check=True)


def bundle(library: Path, folder: Path) -> dict[str, Path]:
    """Copies what `library` needs into `folder` and has all of them find each other there. Returns the originals by
    the names of the copies."""
    originals = libraries_to_bundle(library)
    new_names = {}
    for name, original in originals.items():
        stem, _, rest = name.partition(".so")
        digest = hashlib.sha256(original.read_bytes()).hexdigest()[:8]
        new_names[name] = f"{stem}-{digest}.so{rest}"
    folder.mkdir()
    for name, original in originals.items():
        copy = folder / new_names[name]
        shutil.copy(original, copy)
        copy.chmod(0o755)
        patch("--set-soname", new_names[name], "--set-rpath", "$ORIGIN", str(copy))
        rename_needed(copy, new_names)
    patch("--set-rpath", f"$ORIGIN/../{folder.name}", str(library))
    rename_needed(library, new_names)
    return {new_names[name]: original for name, original in originals.items()}


def rename_needed(library: Path, new_names: dict[str, str]) -> None:
    for name in elf.needed(library):
        if name in new_names:
            patch("--replace-needed", name, new_names[name], str(library))


def metadata(project: dict[str, object], number: str, licenses: list[str], expression: str) -> str:
    lines = ["Metadata-Version: 2.4", f"Name: {project['name']}", f"Version: {number}", f"Summary: {project['description']}"]
    lines += [f"License-Expression: {expression}"]
    lines += [f"License-File: {name}" for name in licenses]
    lines += [f"Requires-Python: {project['requires-python']}"]
    lines += [f"Requires-Dist: {dependency}" for dependency in project["dependencies"]]
    for extra, dependencies in project["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}"]
        lines += [f'Requires-Dist: {dependency} ; extra == "{extra}"' for dependency in dependencies]
    lines += ["Description-Content-Type: text/markdown", "", (PACKAGE / "README.md").read_text()]
    return "\n".join(lines)


def record_line(name: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def write_wheel(tree: Path, info: str, path: Path) -> None:
    """Packs the files of `tree`, with a RECORD; the same files give the same bytes."""
    files = sorted(file for file in tree.rglob("*") if file.is_file())
    record = "".join(record_line(file.relative_to(tree).as_posix(), file.read_bytes()) for file in files)
    contents = [(file.relative_to(tree).as_posix(), file.read_bytes(), file.stat().st_mode) for file in files]
    contents.append((f"{info}/RECORD", (record + f"{info}/RECORD,,\n").encode(), 0o644))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data, mode in contents:
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | (0o755 if mode & 0o100 else 0o644)) << 16
            archive.writestr(entry, data)


def make(prefix: Path, out: Path) -> Path:
    number = version()
    info = f"millrace-{number}.dist-info"
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        (tree / "millrace").mkdir()
        for source in sorted((PACKAGE / "millrace").iterdir()):
            if source.suffix == ".py" or source.name == "py.typed":
                shutil.copy(source, tree / "millrace")
        shutil.copytree(prefix / "include", tree / "millrace" / "include")  # For millrace.compile.
        library = tree / "millrace" / "libmillrace.so.0"
        shutil.copy(prefix / "lib" / "libmillrace.so.0", library)
        library.chmod(0o755)
        subprocess.run(["strip", "--strip-unneeded", str(library)], check=True)
        originals = bundle(library, tree / "millrace.libs")

        used = components.of_libraries(originals, (prefix / "lib/pkgconfig/millrace.pc").read_text())
        licenses = tree / info / "licenses"
        licenses.mkdir(parents=True)
        shutil.copy(ROOT / "LICENSE", licenses / "LICENSE")
        for component in used:
            (licenses / f"{component.name}.txt").write_text(component.license_text())
        names = sorted(file.name for file in licenses.iterdir())

        glibc = elf.least_glibc([library, *(tree / "millrace.libs").iterdir()])
        tag = f"py3-none-manylinux_{glibc[0]}_{glibc[1]}_{platform.machine()}"
        project = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
        expression = " AND ".join(sorted({"Apache-2.0", *(component.license for component in used)}))
        (tree / info / "METADATA").write_text(metadata(project, number, names, expression))
        (tree / info / "WHEEL").write_text(
            f"Wheel-Version: 1.0\nGenerator: millrace tools/package\nRoot-Is-Purelib: false\nTag: {tag}\n"
        )
        path = out / f"millrace-{number}-{tag}.whl"
        write_wheel(tree, info, path)
    if path.stat().st_size > MOST_BYTES:
        raise SystemExit(f"wheel.py: {path} has {path.stat().st_size} bytes; {MOST_BYTES} are the most: name fewer archs")
    return path


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: wheel.py PREFIX OUT")
    print(make(Path(sys.argv[1]), Path(sys.argv[2])))
