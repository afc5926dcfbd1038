# SPDX-License-Identifier: Apache-2.0

"""The works of others that Millrace is linked with or compiled with, and their licenses."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Iterable, Optional

MOST_LICENSE_CHARACTERS = 200_000
COMMON_LICENSES = Path("/usr/share/common-licenses")


@dataclass(frozen=True)
class Component:
    """A work. `files` is a pattern of the names of its shared libraries, `backend` the backend that is built with it;
    one with neither is compiled in, from headers or from a file. `file` is one of its files on this machine."""

    name: str
    license: str  # By SPDX.
    home: str
    file: Optional[Path]
    files: str = ""
    backend: str = ""
    root: str = ""  # The environment variable that may name its folder.
    is_in_command: bool = False  # The millrace command alone is linked with it.

    def package(self) -> Optional[str]:
        """Returns the package of Debian that its file is of."""
        if self.file is None:
            return None
        for path in (self.file, self.file.resolve()):
            said = subprocess.run(["dpkg-query", "-S", str(path)], capture_output=True, text=True, check=False)
            if said.returncode == 0:
                return said.stdout.split(": ")[0].split(",")[0]
        return None

    def version(self) -> str:
        """Returns the upstream version, or "unknown"."""
        package = self.package()
        if package is not None:
            whole = subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], capture_output=True, text=True, check=True).stdout
            return re.sub(r"^\d+:|-[^-]*$|\+(dfsg|ds)\S*$", "", whole)
        if self.backend == "cuda" and self.file is not None:
            api = self.file.with_name("cuda_runtime_api.h").read_text(errors="replace")
            number = int(re.search(r"^#define CUDART_VERSION +(\d+)", api, re.MULTILINE).group(1))
            return f"{number // 1000}.{number % 1000 // 10}"
        found = re.search(r"\.so\.([0-9.]+)$", self.file.resolve().name) if self.file else None
        return found.group(1) if found else "unknown"

    def license_text(self) -> str:
        """Raises SystemExit if this machine has no text."""
        package = self.package()
        paths = [Path("/usr/share/doc") / package.split(":")[0] / "copyright"] if package else []
        folder = os.environ.get(self.root) if self.root else None
        folders = [Path(folder)] if folder else []
        if self.file is not None:
            folders += [*list(self.file.parents)[:3], *list(self.file.resolve().parents)[:3]]
        for folder in folders:
            patterns = ("LICENSE*", "EULA*", "share/doc/*/LICENSE*", "dist-info/nvidia_cuda_runtime*/licenses/*")
            paths += sorted(path for pattern in patterns for path in folder.glob(pattern))
        for path in paths:
            if path.is_file():
                text = self._own_license(path.read_text(errors="replace"))
                return text + "".join(self._common(name) for name in set(re.findall(r"common-licenses/([\w.-]*\w)", text)))
        if self.license == "Apache-2.0" and (COMMON_LICENSES / "Apache-2.0").exists():
            return self._common("Apache-2.0")
        raise SystemExit(f"no license of {self.name} is found beside {self.file}; put its LICENSE there")

    def _own_license(self, text: str) -> str:
        """Returns the paragraph of the component's license where a copyright file of Debian is longer than a license is,
        as Boost's, which lists each of its files."""
        if len(text) < MOST_LICENSE_CHARACTERS:
            return text
        paragraphs = re.findall(rf"^License: {re.escape(self.license)}\n(?: .*\n)+", text, re.MULTILINE)
        return max(paragraphs, key=len) if paragraphs else text

    def _common(self, name: str) -> str:
        path = COMMON_LICENSES / name
        return f"\n\n==== {name} ====\n\n{path.read_text()}" if path.exists() else ""


def _header(path: str) -> Optional[Path]:
    return next((file for file in (Path("/usr/include") / path, Path("/usr/local/include") / path) if file.exists()), None)


def _font() -> Optional[Path]:
    return next(Path("/usr/share/fonts").rglob("DejaVuSans.ttf"), None)


def _cuda_file() -> Optional[Path]:
    homes = [os.environ.get("CUDA_HOME", "/usr/local/cuda"), "/usr"]
    files = [Path(home) / "include/cuda_runtime.h" for home in homes]
    return next((file for file in files if file.exists()), None)


COMPONENTS = [
    Component("oneTBB", "Apache-2.0", "https://github.com/oneapi-src/oneTBB", None, r"libtbb(malloc)?\.so.*", root="TBBROOT"),
    Component("Highway", "Apache-2.0", "https://github.com/google/highway", None, r"libhwy(_contrib)?\.so.*", root="HIGHWAY_ROOT"),
    Component("Boost", "BSL-1.0", "https://www.boost.org", _header("boost/version.hpp"), r"libboost_.*\.so.*", root="BOOST_ROOT"),
    Component("nlohmann-json", "MIT", "https://github.com/nlohmann/json", _header("nlohmann/json.hpp"), root="NLOHMANN_JSON_ROOT"),
    Component("CUDA-runtime", "LicenseRef-NVIDIA-CUDA-EULA", "https://developer.nvidia.com/cuda-toolkit", _cuda_file(),
              backend="cuda", root="CUDA_HOME"),
    Component("HIP", "MIT", "https://github.com/ROCm/clr", _header("hip/hip_runtime.h"), r"libamdhip64\.so.*", backend="hip",
              root="ROCM_PATH"),
    Component("rocPRIM", "MIT", "https://github.com/ROCm/rocPRIM", _header("rocprim/rocprim.hpp"), backend="hip", root="ROCM_PATH"),
    Component("Kokkos", "BSD-3-Clause", "https://github.com/kokkos/kokkos", _header("trilinos/Kokkos_Core.hpp"),
              r"lib(trilinos_)?kokkos.*\.so.*", backend="kokkos", root="Kokkos_ROOT"),
    Component("CLI11", "BSD-3-Clause", "https://github.com/CLIUtils/CLI11", _header("CLI/CLI.hpp"), root="CLI11_ROOT",
              is_in_command=True),
    Component("FFmpeg", "GPL-2.0-or-later", "https://ffmpeg.org", None, r"lib(av(format|codec|util)|swscale)\.so.*",
              root="FFMPEG_ROOT", is_in_command=True),
    Component("bzip2", "bzip2-1.0.6", "https://sourceware.org/bzip2", None, r"libbz2\.so.*", is_in_command=True),
    Component("libcsv", "LGPL-2.1-or-later", "https://github.com/rgamble/libcsv", None, r"libcsv\.so.*", is_in_command=True),
    Component("libpng", "libpng-2.0", "http://www.libpng.org/pub/png/libpng.html", None, r"libpng\d*\.so.*", is_in_command=True),
    Component("zlib", "Zlib", "https://zlib.net", None, r"libz\.so.*", is_in_command=True),
    Component("libarchive", "BSD-2-Clause", "https://www.libarchive.org", None, r"libarchive\.so.*", is_in_command=True),
    Component("Arrow", "Apache-2.0", "https://arrow.apache.org", None, r"lib(arrow|parquet)\.so.*", root="ARROW_ROOT",
              is_in_command=True),
    Component("Expat", "MIT", "https://libexpat.github.io", None, r"libexpat\.so.*", is_in_command=True),
    Component("FreeType", "FTL OR GPL-2.0-or-later", "https://freetype.org", None, r"libfreetype\.so.*", is_in_command=True),
    Component("DejaVu-Sans", "Bitstream-Vera", "https://dejavu-fonts.github.io", _font(), root="DEJAVU_FONT_ROOT",
              is_in_command=True),
    Component("Open-MPI", "BSD-3-Clause", "https://www.open-mpi.org", None, r"libmpi\.so.*", is_in_command=True),
    Component("LLVM-OpenMP", "Apache-2.0 WITH LLVM-exception", "https://openmp.llvm.org", None, r"libomp\.so.*", is_in_command=True),
    Component("libgomp", "GPL-3.0-or-later WITH GCC-exception-3.1", "https://gcc.gnu.org", None, r"libgomp\.so.*", is_in_command=True),
]  # fmt: skip


def backends_of(pkg_config: str) -> list[str]:
    """Returns the backends that the text of an installation's millrace.pc names."""
    found = re.search(r"^backends=(.*)$", pkg_config, re.MULTILINE)
    return found.group(1).split() if found else []


def of_libraries(originals: dict[str, Path], pkg_config: str) -> list[Component]:
    """Returns the components of a library that is linked with the shared libraries `originals`. Raises SystemExit if one of
    these belongs to no component in COMPONENTS."""
    used = {work.name: work for work in COMPONENTS if not work.files and not work.backend and not work.is_in_command}
    used.update({work.name: work for work in COMPONENTS if work.backend and work.backend in backends_of(pkg_config)})
    for work in COMPONENTS:
        if work.name == "Boost":
            used[work.name] = work
    for original in originals.values():
        work = _of_file(original)
        used[work.name] = replace(work, file=original)
    return sorted(used.values(), key=lambda work: work.name)


def _of_file(path: Path) -> Component:
    for work in COMPONENTS:
        if work.files and re.fullmatch(work.files, path.name):
            return work
    raise SystemExit(f"{path.name} is of no work that tools/packages/python/components.py lists; add it with its license")


def of_command(libraries: Iterable[Path]) -> list[Component]:
    """Returns the components of the millrace command alone, of the shared libraries that it is linked with directly. Raises
    SystemExit for a library of a work that is not listed here."""
    found = {work.name: work for work in COMPONENTS if work.is_in_command and not work.files}
    for library in libraries:
        work = _of_file(library)
        if work.is_in_command:
            found[work.name] = replace(work, file=library)
    return sorted(found.values(), key=lambda work: work.name)
