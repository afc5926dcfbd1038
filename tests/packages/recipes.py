# SPDX-License-Identifier: Apache-2.0

"""Reads the recipes of packages; tests/packages/recipes_test.sh runs it from the root of the tree."""

from __future__ import annotations

import fnmatch
import json
import re
import runpy
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock
from pathlib import Path
from typing import Any

import yaml

sys.path[:0] = ["tools/packages/python", "tools/packages/release", "tools/packages/cpack"]

import components
import conda_recipe
import elf
import installation
import licenses
import sbom


def version() -> str:
    number = int(re.search(r"^#define MILLRACE_VERSION (\d+)$", Path("runtime/version.h").read_text(), re.M).group(1))
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


# Variables of libraries that only tests are built with.
TEST_ROOTS = {"BENCHMARK_ROOT", "GTEST_ROOT"}


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


# Packages and virtual packages of spack-packages (2026-07-01).
SPACK_PACKAGES = set(
    "c cxx mpi zlib-api bazel intel-tbb highway boost nlohmann-json kokkos rocprim hip ffmpeg cli11 libpng bzip2 expat freetype "
    "libarchive arrow python py-numpy".split()
)
# Modules that have classes of packages; spack.package has the rest.
SPACK_CLASSES = {"generic": "Package", "cuda": "CudaPackage", "rocm": "ROCmPackage"}


def stage_of_package() -> Any:
    return types.SimpleNamespace(path="/stage", source_path="/stage/spack-src")


def spack_package(run: list[tuple[str, ...]]) -> tuple[Any, dict[str, list[tuple[Any, ...]]]]:
    """Returns the class of package.py and the calls of Spack's directives. Programs that it runs are added to `run`."""
    calls: dict[str, list[tuple[Any, ...]]] = {}
    stub = types.ModuleType("spack.package")

    def directive(name: str) -> Any:
        return lambda *arguments, **named: calls.setdefault(name, []).append((*arguments, named))

    for name in ("license", "version", "variant", "depends_on", "extends", "conflicts", "resource"):
        setattr(stub, name, directive(name))
    stub.join_path = lambda *parts: "/".join(parts)
    stub.Executable = lambda program: lambda *arguments: run.append((program, *arguments))
    stub.install_tree = stub.install = lambda source, target: run.append(("install", source, target))
    modules = {name: types.ModuleType(name) for name in ("spack", "spack_repo", "spack_repo.builtin")}
    modules["spack_repo.builtin.build_systems"] = types.ModuleType("spack_repo.builtin.build_systems")
    for name, of_package in SPACK_CLASSES.items():
        path = f"spack_repo.builtin.build_systems.{name}"
        modules[path] = types.ModuleType(path)
        setattr(modules[path], of_package, type(of_package, (), {"stage": stage_of_package()}))
    sys.modules.update({**modules, "spack.package": stub})
    return runpy.run_path("tools/packages/spack/package.py", {"python_platlib": "/platlib"})["Millrace"], calls


class Spack(unittest.TestCase):
    def setUp(self) -> None:
        self.run_programs: list[tuple[str, ...]] = []
        self.package, self.calls = spack_package(self.run_programs)

    def test_variants(self) -> None:
        # cuda and rocm are variants of CudaPackage and ROCmPackage.
        self.assertEqual({call[0] for call in self.calls["variant"]}, {"arrow", "kokkos", "mpi", "python", "video"})
        bases = {base.__name__ for base in self.package.__mro__}
        self.assertLessEqual({"CudaPackage", "ROCmPackage"}, bases)

    def test_dependencies_are_packages(self) -> None:
        names = {re.match(r"[\w-]+", call[0])[0] for call in self.calls["depends_on"]}
        self.assertEqual(names - SPACK_PACKAGES, set())

    def test_command_has_what_spack_has_no_package_of(self) -> None:
        self.assertEqual({call[-1]["placement"] for call in self.calls["resource"]}, {"libcsv", "dejavu"})
        for call in self.calls["resource"]:
            self.assertRegex(call[-1]["sha256"], r"^[0-9a-f]{64}$")
        package = self.package()
        prefix = type("Prefix", (str,), {"lib": "/prefix/lib"})("/prefix")
        package.spec = Spec("video")
        package.install(package.spec, prefix)
        tools = "/stage/spack-src/tools"
        builds = (f"{tools}/packages/unpackaged/build", "libcsv", "dejavu", "/stage/unpackaged")
        self.assertEqual(self.run_programs, [builds, (f"{tools}/install", "--prefix", prefix)])
        self.assertTrue(Path("tools/packages/unpackaged/build").is_file())
        self.run_programs.clear()
        package.spec = Spec("python")
        package.install(package.spec, prefix)
        self.assertEqual(self.run_programs[0], (f"{tools}/install", "--prefix", prefix, "--no-command"))
        self.assertEqual({target for program, *_, target in self.run_programs[1:]}, {"/platlib/millrace"})

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
        self.assertLessEqual(known - TEST_ROOTS, set(given))
        for toolkit in Path("backends").glob("*/*.bzl"):
            known |= set(re.findall(r'"([A-Za-z]+_?[A-Z]+\w*)"', toolkit.read_text()))
        self.assertLessEqual(set(given), known)
        self.assertEqual(given["TBBROOT"], "/opt/intel-tbb")
        self.assertEqual(given["LIBCSV_ROOT"], "/stage/unpackaged")

    def test_arrow_is_used_where_it_is_wanted(self) -> None:
        package = self.package()
        for variants, root in ((("video",), "none"), (("video", "arrow"), "/opt/arrow")):
            package.spec = Spec(*variants)
            given = {}
            package.setup_build_environment(types.SimpleNamespace(set=lambda name, value: given.update({name: value})))
            self.assertEqual(given["ARROW_ROOT"], root)


class Conda(unittest.TestCase):
    folder = Path("tools/packages/conda")

    def setUp(self) -> None:
        self.recipe = yaml.safe_load((self.folder / "recipe.yaml").read_text())
        self.outputs = {output["package"]["name"]: output for output in self.recipe["outputs"] if "package" in output}

    def test_recipe_is_of_the_schema(self) -> None:
        self.assertEqual(conda_recipe.problems(self.recipe), [])

    def test_rules_see_what_the_schema_rejects(self) -> None:
        self.assertEqual(
            conda_recipe.problems({"requirements": {}, "outputs": [{"package": {"name": "a"}}]}),
            ["'requirements' is not a key of recipe"],
        )
        self.assertEqual(
            conda_recipe.problems({"outputs": [{"staging": {}, "requirements": {"run": ["zlib"]}}, {"build": {"scripts": "x"}}]}),
            [
                "outputs[0].staging has no 'name'",
                "'outputs[0].requirements.run' is not a key of staging_requirements",
                "'outputs[1].build.scripts' is not a key of build",
            ],
        )

    def test_recipe(self) -> None:
        self.assertEqual(self.recipe["context"]["version"], version())
        self.assertEqual(list(self.outputs), ["libmillrace", "millrace", "python-millrace"])
        staging = [output for output in self.recipe["outputs"] if "staging" in output]
        self.assertEqual(len(staging), 1)
        self.assertTrue((self.folder / staging[0]["build"]["script"]).is_file())
        for name, output in self.outputs.items():
            self.assertEqual(output["inherit"]["from"], staging[0]["staging"]["name"], name)
            # Else it would have requirements of `run` that the build does not know.
            host = set(output["requirements"]["host"])
            self.assertLessEqual(host, set(staging[0]["requirements"]["host"]), name)

    def test_each_installed_file_is_in_one_output(self) -> None:
        installed = [
            "bin/millrace",
            "include/millrace/runtime/version.h",
            "lib/cmake/millrace/millrace-config.cmake",
            "lib/libmillrace.a",
            "lib/libmillrace.so.0",
            "lib/pkgconfig/millrace.pc",
            "lib/python3.12/site-packages/millrace/__init__.py",
            "share/bash-completion/completions/millrace",
            "share/fish/vendor_completions.d/millrace.fish",
            "share/man/man1/millrace-sort.1",
            "share/zsh/site-functions/_millrace",
        ]
        text = Path("tools/install").read_text()
        for folder in re.findall(r'"\$prefix/((?:share|bin)/[\w./-]+)"', text):
            self.assertTrue(any(name.startswith(folder) for name in installed), folder)
        for name in installed:
            holders = [
                output
                for output, each in self.outputs.items()
                if any(fnmatch.fnmatch(name, pattern) for pattern in each["build"]["files"]["include"])
            ]
            self.assertEqual(len(holders), 1, (name, holders))
        self.assertIn("bin/millrace", self.outputs["millrace"]["build"]["files"]["include"])

    def test_build_gives_the_root_of_each_library(self) -> None:
        text = (self.folder / "build.sh").read_text()
        names = re.search(r"^for library in (.*); do$", text, re.M)[1].split()
        given = {f"{name}_ROOT" for name in names} | set(re.findall(r"\b([A-Z]\w*ROOT)=", text))
        known = set(re.findall(r'variable = "(\w+)"', Path("tools/bazel/library_table.bzl").read_text()))
        self.assertLessEqual(known - TEST_ROOTS, given)
        self.assertLessEqual(given - known, {"TBBROOT"})


class Unpackaged(unittest.TestCase):
    def test_library_and_font_are_where_roots_have_them(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "libcsv").mkdir()
            (folder / "libcsv/libcsv.c").write_text('#include "csv.h"\nint csv_error(void) { return 0; }\n')
            (folder / "libcsv/csv.h").write_text("int csv_error(void);\n")
            (folder / "dejavu/ttf").mkdir(parents=True)
            (folder / "dejavu/ttf/DejaVuSans.ttf").write_text("font")
            script = "tools/packages/unpackaged/build"
            subprocess.run([script, folder / "libcsv", folder / "dejavu", folder / "out"], check=True)
            found = {path.relative_to(folder / "out").as_posix() for path in (folder / "out").rglob("*") if path.is_file()}
            self.assertEqual(found, {"include/csv.h", "lib/libcsv.a", "share/fonts/dejavu/DejaVuSans.ttf"})
        self.assertIn('"share/fonts/dejavu"', Path("tools/bazel/library_table.bzl").read_text())


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
        matrix = presubmit["bcr_test_module"]["matrix"]
        self.assertTrue(matrix["platform"] and matrix["bazel"])
        # Platforms of onetbb 2023.1.0 in the registry, and versions of Bazel that have built this module.
        self.assertLessEqual(set(matrix["platform"]), {"debian11", "ubuntu2204", "ubuntu2404"})
        self.assertLessEqual(set(matrix["bazel"]), {"7.x"})
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


    def test_copyright_has_the_licenses_of_files_in_the_command(self) -> None:
        text = (self.folder / "copyright").read_text()
        # The command contains the whole file of the font.
        table = Path("tools/bazel/library_table.bzl").read_text()
        fonts = re.findall(r'package = "(\S+)",\n\s*header = "[\w.]+\.ttf"', table)
        self.assertEqual(fonts, ["fonts-dejavu-core"])
        for package in fonts:
            self.assertIn(package, text)
        font = next(work for work in components.COMPONENTS if work.name == "DejaVu-Sans")
        license_text = re.search(rf"^License: {font.license}\n((?: .*\n)+)", text, re.M)
        self.assertIsNotNone(license_text)
        for words in ("Copyright (c) 2003 by Bitstream", "Permission is hereby granted", "WITHOUT WARRANTY"):
            self.assertIn(words, license_text[1])


class ListOfWorks(unittest.TestCase):
    """tools/packages/release/sbom.py and tools/packages/cpack/licenses.py."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        text = self.folder / "font/LICENSE"
        text.parent.mkdir()
        text.write_text("The font may be copied.")
        (self.folder / "lib/pkgconfig").mkdir(parents=True)
        (self.folder / "lib/pkgconfig/millrace.pc").write_text("backends=tbb\n")
        font = components.Component("Font", "LicenseRef-Font", "https://font.example", text.with_name("font.ttf"))
        linked = components.Component("oneTBB", "Apache-2.0", "https://tbb.example", Path("/x/libtbb.so.12"), r"libtbb\.so.*")
        works = installation.Works([linked], [font], {"oneTBB"})
        patch = unittest.mock.patch.object(installation, "works_of", return_value=works)
        patch.start()
        self.addCleanup(patch.stop)

    def test_has_texts_of_works_of_the_command(self) -> None:
        document = sbom.document(self.folder, "1.0.0", "abc", 0)
        texts = {each["licenseId"]: each["extractedText"] for each in document["hasExtractedLicensingInfos"]}
        self.assertEqual(texts, {"LicenseRef-Font": "The font may be copied."})
        kinds = {each["relatedSpdxElement"]: each["relationshipType"] for each in document["relationships"]}
        self.assertEqual(kinds["SPDXRef-Font"], "STATIC_LINK")
        self.assertEqual(kinds["SPDXRef-oneTBB"], "DYNAMIC_LINK")

    def test_archive_has_licenses_of_what_its_files_contain(self) -> None:
        licenses.write(self.folder, self.folder / "out")
        self.assertEqual([path.name for path in (self.folder / "out").iterdir()], ["Font.txt"])
        self.assertEqual((self.folder / "out/Font.txt").read_text(), "The font may be copied.")
        self.assertIn("licenses.py", Path("tools/packages/cpack/CMakeLists.txt").read_text())


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
