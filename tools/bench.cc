// SPDX-License-Identifier: Apache-2.0

// Benchmarks, each a table of ratios measured in one run:
//   bazel run -c opt //tools:bench -- idct
#include <CLI/CLI.hpp>

#include <algorithm>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/drivers/idct/idct_benchmark.h>
#include <millrace/tools/benchmarks/drivers/idct/idct_host_benchmark.h>
#include <millrace/tools/benchmarks/drivers/idct/idct_paper_benchmark.h>
#include <millrace/tools/benchmarks/drivers/motion/motion_benchmark.h>
#include <millrace/tools/benchmarks/drivers/motion/motion_quality_benchmark.h>
#include <millrace/tools/benchmarks/drivers/sort/host_sort_benchmark.h>
#include <millrace/tools/benchmarks/drivers/sort/sort_benchmark.h>
#include <millrace/tools/benchmarks/drivers/sort/sort_paper_benchmark.h>
#include <millrace/tools/benchmarks/drivers/three_star/three_star_benchmark.h>
#include <millrace/tools/benchmarks/drivers/three_star/three_star_paper_benchmark.h>

namespace {

constexpr int kUnsupportedStatus = 3;  // A benchmark that the device has no part in.

  });
}

void add_cpu_sort(CLI::App& app, const std::string& device, const double& seconds) {
  const auto options = std::make_shared<millrace::tools::SortBenchmarkOptions>();
  CLI::App* const sort =
      app.add_subcommand("sort", "Keys and pairs sorted by the CPU, against the sorts of others");
  sort->add_option("--csv", options->csv, "Write the figures to this file");
  sort->add_option("--svg", options->svg, "Draw the rates over the count into this file");
  sort->add_option("--most", options->most, "The largest count (default: 100000000)")
      ->check(CLI::Range(1000, 1'000'000'000));
  sort->callback([options, &device, &seconds] {
    options->device = device;
    options->seconds = seconds;
    millrace::tools::benchmark_sort(*options);
  });
}

void add_sorts(CLI::App& app, const std::string& device, const double& seconds) {
  const auto host = std::make_shared<millrace::tools::HostSortBenchmarkOptions>();
  CLI::App* const sort =
      app.add_subcommand("host-sort", "Sorts of host arrays on a device, against copy, sort, copy");
  sort->add_option("--csv", host->csv, "Write the figures to this file");
  sort->add_option("--most", host->most, "The largest count (default: 1000000000)");
  sort->add_flag("!--no-pageable", host->has_pageable, "Leave pageable memory out");
  sort->add_flag("!--no-shapes", host->has_shapes, "Leave all but uniform keys out");
  sort->callback([host, &device, &seconds] {
    host->device = device;
    host->seconds = seconds;
    millrace::tools::benchmark_host_sort(*host);
  });
  const auto tables = std::make_shared<millrace::tools::SortPaperOptions>();
  CLI::App* const paper =
      app.add_subcommand("sort-paper", "The paper's streamed radix sort: its tables I to III");
  paper->add_option("--csv", tables->csv, "Write the figures to this file");
  paper->add_option("--most", tables->most, "The largest count (default: 100000000)");
  paper->callback([tables, &device, &seconds] {
    tables->device = device;
    tables->seconds = seconds;
    millrace::tools::benchmark_sort_paper(*tables);
  });
}

void add_host_idct(CLI::App& app, const std::string& device, const double& seconds) {
  const auto options = std::make_shared<millrace::tools::IdctHostBenchmarkOptions>();
  CLI::App* const idct = app.add_subcommand(
      "idct-host", "Macroblocks in host memory through a device, as they are and coded");
  idct->add_option("--clip", options->clip, "Code this clip (default: a synthetic queue)")
      ->check(CLI::ExistingFile);
  idct->add_option("--pictures", options->pictures, "How many (default: by the device)")
      ->check(CLI::Range(1, 10'000));
  idct->add_option("--chunk", options->chunk_macroblocks, "Macroblocks of a chunk (default: 65536)")
      ->check(CLI::Range(1, 1 << 24));
  idct->add_option("--depth", options->depth, "Chunks in flight (default: 4)")
      ->check(CLI::Range(1, 64));
  idct->callback([options, &device, &seconds] {
    options->device = device;
    options->seconds = seconds;
    millrace::tools::benchmark_idct_host(*options);
  });
}

void add_motion_quality(CLI::App& app, const std::string& device, const double& seconds) {
  const auto options = std::make_shared<millrace::tools::MotionQualityOptions>();
  CLI::App* const quality = app.add_subcommand(
      "motion-quality", "What motion searches cost and predict on clips, and their rates");
  quality->add_option("--clip", options->clips, "A clip; may be given again")
      ->check(CLI::ExistingFile)
      ->required();
  quality->add_option("--frames", options->frames, "Of each clip (default: 12)")
      ->check(CLI::Range(2, 10'000));
  quality->add_option("--range", options->range, "Of the search, in samples (default: 32)")
      ->check(CLI::Range(8, 128));
  quality->callback([options, &device, &seconds] {
    options->device = device;
    options->seconds = seconds;
    millrace::tools::benchmark_motion_quality(*options);
  });
}

void add_motion(CLI::App& app, const std::string& device, const double& seconds) {
  const auto options = std::make_shared<millrace::tools::MotionBenchmarkOptions>();
  const auto sizes = std::make_shared<std::vector<std::string>>();
  CLI::App* const motion = app.add_subcommand(
      "motion", "Full-search motion estimation, of pictures on a device and of clips through it");
  motion->add_option("--size", *sizes, "Such as 1920x1080 (default: VGA, 720p, 1080p and 4K)");
  motion->add_option("--range", options->ranges, "Search ranges (default: 32)")
      ->check(CLI::Range(millrace::motion::kLeastRange, millrace::motion::kMostRange));
  const auto precisions = std::make_shared<std::vector<std::string>>();
  motion->add_option("--precision", *precisions, "integer, half, quarter (default: all)")
      ->check(CLI::IsMember({"integer", "half", "quarter"}));
  motion->add_option("--clip", options->clip, "Pictures of this clip, in its size")
      ->check(CLI::ExistingFile);
  motion->add_option("--pictures", options->pictures, "How many a run searches")
      ->check(CLI::Range(1, 100'000));
  motion->add_option("--csv", options->csv, "Write the figures to this file");
  motion->add_option("--peer", options->x264, "Time this x264 program beside: a whole encoder");
  motion->callback([options, sizes, precisions, &device, &seconds] {
    options->device = device;
    options->seconds = seconds;
    if (!sizes->empty()) options->sizes = millrace::tools::picture_sizes(*sizes);
    if (!precisions->empty()) {
      std::erase_if(options->precisions, [&](millrace::motion::Precision precision) {
        return std::ranges::count(*precisions, millrace::tools::name_of(precision)) == 0;
      });
    }
    millrace::tools::benchmark_motion(*options);
  });
}

void add_three_stars(CLI::App& app, const std::string& device, const double& seconds) {
  const auto options = std::make_shared<millrace::tools::ThreeStarBenchmarkOptions>();
  CLI::App* const stars = app.add_subcommand(
      "three-star", "Sensor triples with a common relay: counted, compressed, and every id");
  stars->add_option("--points", options->points, "How many (default: 1600 to 102400)")
      ->check(CLI::Range(1, 100'000'000));
  stars->add_flag("--clustered", options->is_clustered, "Points in clusters, too");
  stars->add_option("--svg", options->svg, "Draw what is measured over the points");
  stars->add_option("--what", options->what, "Rows, with commas between them (default: all)")
      ->delimiter(',')
      ->check(CLI::IsMember(millrace::tools::kThreeStarRows));
  stars->callback([options, &device, &seconds] {
    options->device = device;
    options->seconds = seconds;
    millrace::tools::benchmark_three_stars(*options);
  });
  const auto figures = std::make_shared<millrace::tools::ThreeStarPaperOptions>();
  CLI::App* const paper = app.add_subcommand(
      "three-star-paper", "The paper's method of finding 3-stars: its figures 10 and 11");
  paper->add_option("--points", figures->points, "How many (default: by the device)")
      ->check(CLI::Range(1, 100'000'000));
  paper->add_option("--csv", figures->csv, "Write the figures to this file");
  paper->add_option("--svg", figures->svg, "Draw them");
  paper->callback([figures, &device, &seconds] {
    figures->device = device;
    figures->seconds = seconds;
    millrace::tools::benchmark_three_stars_as_paper(*figures);
  });
}

// Returns the names of all benchmarks.
std::string names_in(const CLI::App& app) {
  std::string names;
  for (const CLI::App* const each : app.get_subcommands([](const CLI::App*) { return true; })) {
    names += (names.empty() ? "" : ", ") + each->get_name();
  }
  return names;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures Millrace against the limits of the machine", "bench");
  app.require_subcommand(1);
  std::string device = "tbb";
  double seconds = 2;
  app.add_option("--device", device, "The device to measure (default: tbb)");
  app.add_option("--seconds", seconds, "Time for each part of a table (default: 2)")
      ->check(CLI::Range(0.001, 86'400.0));
  app.fallthrough();
  app.add_subcommand("idct", "The inverse transform over a mixed macroblock queue")->callback([&] {
    millrace::tools::benchmark_idct(device, seconds);
  });
  std::string csv;
  std::string svg;
  CLI::App* const paper = app.add_subcommand(
      "idct-paper", "Two algorithms and three ways to reach memory on a GPU, by queue length");
  paper->add_option("--csv", csv, "Write the table's figures to this file");
  paper->add_option("--svg", svg, "Draw them over the number of macroblocks in this file");
  paper->callback([&] {
    millrace::tools::benchmark_idct_paper(
        {.device = device, .seconds = seconds, .csv = csv, .svg = svg});
  });
  add_cpu_sort(app, device, seconds);
  add_sorts(app, device, seconds);
  add_host_idct(app, device, seconds);
  add_three_stars(app, device, seconds);
  add_motion(app, device, seconds);
  add_motion_quality(app, device, seconds);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    std::cerr << "bench: " << error.what();
    if (app.get_subcommands().empty()) std::cerr << "; there are: " << names_in(app);
    std::cerr << '\n';
    return 2;
  } catch (const millrace::Error& error) {
    std::cerr << "bench: " << error.what() << '\n';
    return error.code() == millrace::ErrorCode::kUnsupported ? kUnsupportedStatus : 2;
  } catch (const std::exception& error) {
    std::cerr << "bench: " << error.what() << '\n';
    return 2;
  }
  return 0;
}
