# SPDX-License-Identifier: Apache-2.0

"""Reads the recipes of packages; tests/packages/recipes_test.sh runs it from the root of the tree."""

from __future__ import annotations

import json
import re
import runpy
import sys
import types
import unittest
from pathlib import Path
from typing import Any

import yaml

sys.path.insert(0, "tools/packages/python")

import components
import elf


def version() -> str:
    number = int(re.search(r"^#define MILLRACE_VERSION (\d+)$", Path("runtime/version.h").read_text(), re.M).group(1))
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


class Spec:
    """A spec of Spack that has some variants."""

    def __init__(self, *variants: str) -> None:
        self.on = variants
        self.variants = {
            "cuda_arch": types.SimpleNamespace(value=("80", "90")),
            "amdgpu_target": types.SimpleNamespace(value=("gfx90a",)),
        }

    def satisfies(self, condition: str) -> bool:
        return condition.lstrip("+") in self.on

    def __getitem__(self, name: str) -> Any:
        return types.SimpleNamespace(prefix=f"/opt/{name}", mpicc="/opt/mpi/bin/mpicc")


def spack_package() -> tuple[Any, dict[str, list[tuple[Any, ...]]]]:
    """Returns the class of package.py and the calls of Spack's directives."""
    calls: dict[str, list[tuple[Any, ...]]] = {}
    stub = types.ModuleType("spack.package")

    def directive(name: str) -> Any:
        return lambda *arguments, **named: calls.setdefault(name, []).append((*arguments, named))

    for name in ("license", "version", "variant", "depends_on", "extends", "conflicts"):
        setattr(stub, name, directive(name))
    for name in ("Package", "CudaPackage", "ROCmPackage"):
        setattr(stub, name, type(name, (), {}))
    sys.modules.update({"spack": types.ModuleType("spack"), "spack.package": stub})
    return runpy.run_path("tools/packages/spack/package.py")["Millrace"], calls


class Spack(unittest.TestCase):
    def setUp(self) -> None:
        self.package, self.calls = spack_package()

    def test_variants(self) -> None:
        # cuda and rocm are variants of CudaPackage and ROCmPackage.
        self.assertEqual({call[0] for call in self.calls["variant"]}, {"kokkos", "mpi", "python", "video"})
        bases = {base.__name__ for base in self.package.__mro__}
        self.assertLessEqual({"CudaPackage", "ROCmPackage"}, bases)

    def test_options_are_those_of_the_tree(self) -> None:
        package = self.package()
        package.spec = Spec("cuda", "rocm", "kokkos", "mpi")
        options = package.bazel_options()
        self.assertIn("--//backends/cuda:archs=sm_80,sm_90", options)
        self.assertIn("--//backends/hip:archs=gfx90a", options)
        configurations = set(re.findall(r"^build:(\w+) ", Path(".bazelrc").read_text(), re.M))
        for option in options:
            if option.startswith("--config="):
                self.assertIn(option.split("=")[1], configurations)
        package.spec = Spec()
        self.assertEqual(package.bazel_options(), [])

    def test_roots_are_those_of_the_library_table(self) -> None:
        package = self.package()
        package.spec = Spec("cuda", "rocm", "kokkos", "mpi", "video", "python")
        given = {}
        package.setup_build_environment(types.SimpleNamespace(set=lambda name, value: given.update({name: value})))
        text = Path("tools/bazel/library_table.bzl").read_text()
        known = set(re.findall(r'variable = "(\w+)"', text))
        # Spack has no package of this font; the system's is taken.
        self.assertLessEqual(known - {"BENCHMARK_ROOT", "GTEST_ROOT", "DEJAVU_FONT_ROOT"}, set(given))
        for toolkit in Path("backends").glob("*/*.bzl"):
            known |= set(re.findall(r'"([A-Za-z]+_?[A-Z]+\w*)"', toolkit.read_text()))
        self.assertLessEqual(set(given), known)
        self.assertEqual(given["TBBROOT"], "/opt/intel-tbb")


class Conda(unittest.TestCase):
    def test_recipe(self) -> None:
        recipe = yaml.safe_load(Path("tools/packages/conda/recipe.yaml").read_text())
        self.assertEqual(recipe["context"]["version"], version())
        self.assertTrue((Path("tools/packages/conda") / recipe["build"]["script"]).is_file())
        self.assertEqual([output["package"]["name"] for output in recipe["outputs"]], ["libmillrace", "millrace"])


class BazelModule(unittest.TestCase):
    text = Path("MODULE.bazel").read_text()

    def test_version(self) -> None:
        self.assertIn(f'version = "{version()}"', self.text)

    def test_dependencies_have_versions(self) -> None:
        dependencies = re.findall(r"^bazel_dep\(([^)]*)\)", self.text, re.M)
        self.assertTrue(dependencies)
        for dependency in dependencies:
            self.assertRegex(dependency, r'version = "[0-9.]+"')

    def test_rests_on_no_override(self) -> None:
        self.assertNotIn("_override", self.text)

    def test_rules_are_loaded(self) -> None:
        for path in Path(".").glob("**/BUILD"):
            if path.parts[0].startswith("bazel-") or "stubs" in path.parts:
                continue
            text = path.read_text()
            for rule in set(re.findall(r"^ *((?:cc|sh)_\w+)\(", text, re.M)):
                loads = "".join(re.findall(r"^load\([^)]*\)", text, re.M))
                self.assertIn(f'"{rule}"', loads, path)
        for path in Path(".").glob("**/*.bzl"):
            if not path.parts[0].startswith("bazel-") and "stubs" not in path.parts:
                self.assertNotRegex(path.read_text(), r"\bnative\.(cc|sh)_", path)

    def test_registry_files(self) -> None:
        metadata = json.loads(Path(".bcr/metadata.template.json").read_text())
        self.assertEqual(metadata["versions"], [])
        source = json.loads(Path(".bcr/source.template.json").read_text())
        self.assertEqual(source["strip_prefix"], "millrace-{VERSION}")
        presubmit = yaml.safe_load(Path(".bcr/presubmit.yml").read_text())
        module = Path(presubmit["bcr_test_module"]["module_path"])
        self.assertIn(f'bazel_dep(name = "millrace", version = "{version()}")', (module / "MODULE.bazel").read_text())
        self.assertTrue((module / "BUILD").resolve().is_file())


class Debian(unittest.TestCase):
    folder = Path("tools/packages/debian")

    def test_packages(self) -> None:
        control = (self.folder / "control").read_text()
        names = re.findall(r"^Package: (.*)$", control, re.M)
        self.assertEqual(names, ["libmillrace0", "libmillrace-dev", "millrace", "python3-millrace"])
        for name in names:
            self.assertTrue((self.folder / f"{name}.install").is_file(), name)

    def test_build_wants_what_setup_installs(self) -> None:
        control = (self.folder / "control").read_text()
        wanted = set(re.findall(r"[\w.+-]+", control.split("Build-Depends:")[1].split("Standards-Version")[0]))
        listed = set(re.findall(r"\bz?lib[\w.+-]+-dev\b|nlohmann-json3-dev", Path("tools/setup").read_text().split("list_lint")[0]))
        tests_alone = {"libgtest-dev", "libgmock-dev", "libbenchmark-dev"}
        self.assertEqual(listed - tests_alone - wanted, set())


class Tags(unittest.TestCase):
    def test_versions_of_gcc_are_of_glibcs(self) -> None:
        library = Path("libx.so")
        self.assertEqual(elf.glibc_beside("GLIBCXX", (3, 4), library), (2, 31))
        self.assertEqual(elf.glibc_beside("GLIBCXX", (3, 4, 29), library), (2, 34))
        self.assertEqual(elf.glibc_beside("GLIBCXX", (3, 4, 30), library), (2, 35))
        self.assertEqual(elf.glibc_beside("CXXABI", (1, 3, 13), library), (2, 34))
        with self.assertRaises(SystemExit):
            elf.glibc_beside("GLIBCXX", (3, 5), library)

    def test_libraries_are_of_known_works(self) -> None:
        used = components.of_libraries({"libtbb.so.12": Path("/x/libtbb.so.12.8")}, "backends=tbb simt\n")
        self.assertIn(("oneTBB", "Apache-2.0"), [(work.name, work.license) for work in used])
        self.assertNotIn("CUDA-runtime", [work.name for work in used])
        used = components.of_libraries({}, "backends=tbb cuda\n")
        self.assertIn("CUDA-runtime", [work.name for work in used])
        used = components.of_libraries({"libamdhip64.so.5": Path("/x/libamdhip64.so.5")}, "backends=tbb hip\n")
        self.assertLessEqual({"HIP", "rocPRIM"}, {work.name for work in used})
        with self.assertRaisesRegex(SystemExit, "libodd.so.1 is of no work"):
            components.of_libraries({"libodd.so.1": Path("/x/libodd.so.1")}, "backends=tbb\n")
        used = components.of_command([Path("/x/libtbb.so.12.8"), Path("/x/libexpat.so.1")])
        self.assertIn(("Expat", "MIT"), [(work.name, work.license) for work in used])
        self.assertNotIn("oneTBB", [work.name for work in used])
        with self.assertRaisesRegex(SystemExit, "libodd.so.1 is of no work"):
            components.of_command([Path("/x/libodd.so.1")])


if __name__ == "__main__":
    unittest.main()
