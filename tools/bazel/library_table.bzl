# SPDX-License-Identifier: Apache-2.0

"""The libraries of the system that Millrace is built with.

To add one, add a row here, or to the toolkits in backend.bzl of the backend that uses it, and its name to MODULE.bazel.
"""

load("//backends:backends.bzl", "BACKENDS")
load("//tools/bazel:system_library_entry.bzl", "system_library_entry")

_COMMON_LIBRARIES = {
    "archive": system_library_entry(
        variable = "LIBARCHIVE_ROOT",
        package = "libarchive-dev",
        header = "archive.h",
        targets = {"archive": ["archive"]},
    ),
    # Packages of Python have libraries beside include/.
    "arrow": system_library_entry(
        variable = "ARROW_ROOT",
        package = "libarrow-dev libparquet-dev",
        header = "parquet/arrow/reader.h",
        targets = {"arrow": ["arrow"], "parquet": ["parquet"]},
        deps = {"parquet": ["arrow"]},
        library_folders = ["."],
        optional = True,
    ),
    "benchmark": system_library_entry(
        variable = "BENCHMARK_ROOT",
        package = "libbenchmark-dev",
        header = "benchmark/benchmark.h",
        targets = {"benchmark": ["benchmark"], "benchmark_main": ["benchmark_main"]},
        deps = {"benchmark_main": ["benchmark"]},
    ),
    "boost_headers": system_library_entry(
        variable = "BOOST_ROOT",
        package = "libboost-dev",
        header = "boost/version.hpp",
        targets = {"boost_headers": []},
    ),
    "bz2": system_library_entry(
        variable = "BZIP2_ROOT",
        package = "libbz2-dev",
        header = "bzlib.h",
        targets = {"bz2": ["bz2"]},
    ),
    "cli11": system_library_entry(
        variable = "CLI11_ROOT",
        package = "libcli11-dev",
        header = "CLI/CLI.hpp",
        targets = {"cli11": []},
    ),
    "csv": system_library_entry(
        variable = "LIBCSV_ROOT",
        package = "libcsv-dev",
        header = "csv.h",
        targets = {"csv": ["csv"]},
    ),
    # A file, which programs have in themselves.
    "dejavu_font": system_library_entry(
        variable = "DEJAVU_FONT_ROOT",
        package = "fonts-dejavu-core",
        header = "DejaVuSans.ttf",
        targets = {},
        include_folders = [
            "share/fonts/truetype/dejavu",
            "share/fonts/dejavu-sans-fonts",
            "share/fonts/dejavu",
            "share/fonts/TTF",
        ],
    ),
    "expat": system_library_entry(
        variable = "EXPAT_ROOT",
        package = "libexpat1-dev",
        header = "expat.h",
        targets = {"expat": ["expat"]},
    ),
    "ffmpeg": system_library_entry(
        variable = "FFMPEG_ROOT",
        package = "libavformat-dev libavcodec-dev libswscale-dev libavutil-dev",
        header = "libavformat/avformat.h",
        targets = {"avformat": ["avformat", "avcodec", "swscale", "avutil"]},
    ),
    "freetype": system_library_entry(
        variable = "FREETYPE_ROOT",
        package = "libfreetype-dev",
        header = "ft2build.h",
        targets = {"freetype": ["freetype"]},
        include_folders = ["include/freetype2"],
    ),
    "gtest": system_library_entry(
        variable = "GTEST_ROOT",
        package = "libgtest-dev libgmock-dev",
        header = "gmock/gmock.h",
        targets = {"gtest": ["gmock", "gtest"], "gtest_main": ["gtest_main"]},
        deps = {"gtest_main": ["gtest"]},
    ),
    "highway": system_library_entry(
        variable = "HIGHWAY_ROOT",
        package = "libhwy-dev",
        header = "hwy/highway.h",
        targets = {"highway": ["hwy"], "vqsort": ["hwy_contrib"]},
        deps = {"vqsort": ["highway"]},
        # For all alike: an unoptimised program has one hwy::ChosenTarget::GetIndex(), which picks from
        # the tables of all sources by what one of them was compiled for.
        defines = ["HWY_WANT_AVX3_DL"],
    ),
    "json": system_library_entry(
        variable = "NLOHMANN_JSON_ROOT",
        package = "nlohmann-json3-dev",
        header = "nlohmann/json.hpp",
        targets = {"json": []},
    ),
    "png": system_library_entry(
        variable = "PNG_ROOT",
        package = "libpng-dev",
        header = "png.h",
        targets = {"png": ["png"]},
    ),
    "z": system_library_entry(
        variable = "ZLIB_ROOT",
        package = "zlib1g-dev",
        header = "zlib.h",
        targets = {"z": ["z"]},
    ),
}

# {name of a repository: entry}.
LIBRARIES = dict(
    _COMMON_LIBRARIES,
    **{
        name: entry
        for backend in BACKENDS
        for name, entry in backend.toolkits.items()
    }
)
