# SPDX-License-Identifier: Apache-2.0

from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.generic import Package
from spack_repo.builtin.build_systems.rocm import ROCmPackage

from spack.package import *


class Millrace(Package, CudaPackage, ROCmPackage):
    """A runtime for irregular work on CPUs and GPUs: queues whose items differ in type and size and create more items."""

    homepage = "https://github.com/millrace/millrace"
    url = "https://github.com/millrace/millrace/releases/download/v0.1.0/millrace-0.1.0.tar.gz"
    git = "https://github.com/millrace/millrace.git"

    license("Apache-2.0")

    version("main", branch="main")
    # tools/release writes the checksum of a version's archive into SHA256SUMS.

    variant("arrow", default=False, description="Columns of Parquet and Arrow files in the millrace command")
    variant("kokkos", default=False, description="Execution spaces of Kokkos as devices")
    variant("mpi", default=False, description="Algorithms over many machines")
    variant("python", default=True, description="The Python package")
    variant("video", default=True, description="The millrace command, which reads clips by FFmpeg")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("bazel@7:", type="build")
    depends_on("intel-tbb@2021.8:")
    depends_on("highway@1.0.3:")
    depends_on("boost@1.74: +context")
    depends_on("nlohmann-json@3.11:")
    depends_on("kokkos@3.4:", when="+kokkos")
    depends_on("mpi", when="+mpi")
    depends_on("rocprim", when="+rocm")
    depends_on("hip@5.2:", when="+rocm")
    depends_on("ffmpeg@5.1:", when="+video")
    depends_on("cli11@2:", when="+video")
    depends_on("libpng", when="+video")
    depends_on("bzip2", when="+video")
    depends_on("expat", when="+video")
    depends_on("freetype", when="+video")
    depends_on("zlib-api", when="+video")
    depends_on("libarchive", when="+video")
    depends_on("arrow@15: +parquet", when="+video+arrow")
    depends_on("python@3.9:", when="+python", type=("build", "run"))
    depends_on("py-numpy", when="+python", type=("build", "run"))
    extends("python", when="+python")

    # Spack has no packages of these.
    resource(
        name="libcsv",
        url="https://downloads.sourceforge.net/project/libcsv/libcsv/libcsv-3.0.3/libcsv-3.0.3.tar.gz",
        sha256="d9c0431cb803ceb9896ce74f683e6e5a0954e96ae1d9e4028d6e0f967bebd7e4",
        destination="",
        placement="libcsv",
        when="+video",
    )
    resource(
        name="dejavu",
        url="https://github.com/dejavu-fonts/dejavu-fonts/releases/download/version_2_37/dejavu-fonts-ttf-2.37.tar.bz2",
        sha256="fa9ca4d13871dd122f61258a80d01751d603b4d3ee14095d65453b4e846e17d7",
        destination="",
        placement="dejavu",
        when="+video",
    )

    conflicts("%gcc@:11", msg="C++20 of gcc 12 is needed")
    conflicts("cuda_arch=none", when="+cuda", msg="name the GPUs: cuda_arch=90")
    conflicts("amdgpu_target=none", when="+rocm", msg="name the GPUs: amdgpu_target=gfx90a")

    @property
    def unpackaged(self):
        """The folder where the resources are built."""
        return join_path(self.stage.path, "unpackaged")

    def setup_build_environment(self, env):
        roots = {"intel-tbb": "TBBROOT", "highway": "HIGHWAY_ROOT", "boost": "BOOST_ROOT", "nlohmann-json": "NLOHMANN_JSON_ROOT"}
        if self.spec.satisfies("+video"):
            roots.update({"ffmpeg": "FFMPEG_ROOT", "cli11": "CLI11_ROOT", "libpng": "PNG_ROOT", "bzip2": "BZIP2_ROOT",
                          "expat": "EXPAT_ROOT", "freetype": "FREETYPE_ROOT", "zlib-api": "ZLIB_ROOT",
                          "libarchive": "LIBARCHIVE_ROOT"})
            if self.spec.satisfies("+arrow"):
                roots["arrow"] = "ARROW_ROOT"
            else:
                env.set("ARROW_ROOT", "none")
            env.set("LIBCSV_ROOT", self.unpackaged)
            env.set("DEJAVU_FONT_ROOT", self.unpackaged)
        if self.spec.satisfies("+kokkos"):
            roots["kokkos"] = "Kokkos_ROOT"
        if self.spec.satisfies("+cuda"):
            roots["cuda"] = "CUDA_HOME"
        for name, variable in roots.items():
            env.set(variable, self.spec[name].prefix)
        if self.spec.satisfies("+rocm"):
            env.set("ROCM_PATH", self.spec["hip"].prefix)
        if self.spec.satisfies("+mpi"):
            env.set("MPICC", self.spec["mpi"].mpicc)

    def bazel_options(self):
        """Options of tools/install for the variants."""
        options = []
        if self.spec.satisfies("+cuda"):
            archs = ",".join(f"sm_{arch}" for arch in self.spec.variants["cuda_arch"].value)
            options += ["--config=cuda", f"--//backends/cuda:archs={archs}"]
        if self.spec.satisfies("+rocm"):
            archs = ",".join(self.spec.variants["amdgpu_target"].value)
            options += ["--config=hip", f"--//backends/hip:archs={archs}"]
        for variant in ("kokkos", "mpi"):
            if self.spec.satisfies(f"+{variant}"):
                options.append(f"--config={variant}")
        return options

    def install(self, spec, prefix):
        tools = join_path(self.stage.source_path, "tools")
        command = ["--no-command"]
        if spec.satisfies("+video"):
            Executable(join_path(tools, "packages", "unpackaged", "build"))("libcsv", "dejavu", self.unpackaged)
            command = []
        Executable(join_path(tools, "install"))("--prefix", prefix, *command, *self.bazel_options())
        if spec.satisfies("+python"):
            install_tree(join_path("bindings", "python", "millrace"), join_path(python_platlib, "millrace"))
            install(join_path(prefix.lib, "libmillrace.so.0"), join_path(python_platlib, "millrace"))
