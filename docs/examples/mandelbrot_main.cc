// SPDX-License-Identifier: Apache-2.0

// mandelbrot: draws the Mandelbrot set, compares with every pixel drawn directly, and writes a PNG.
#include <millrace/docs/examples/command/example_command.h>
#include <millrace/docs/examples/dwell_png.h>
#include <millrace/docs/examples/mandelbrot.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/output/output_file.h>

#include <chrono>
#include <cstdio>
#include <optional>

namespace {

using namespace millrace::examples;
using millrace::tools::OutputFile;

void parse_size(const std::string& text, MandelbrotOptions& options) {
  int end = 0;
  const int fields = std::sscanf(text.c_str(), "%dx%d%n", &options.width, &options.height, &end);
  if (fields == 2 && static_cast<std::size_t>(end) == text.size()) return;
  throw millrace::Error(millrace::ErrorCode::kInvalidArgument,
                        "size is '" + text + "'; it is WIDTHxHEIGHT, like 1280x720");
}

// The definition of the picture, and how long it took.
struct Direct {
  explicit Direct(const MandelbrotOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    dwells = draw_mandelbrot_directly(options);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    std::printf("every pixel directly, one thread: %.1f ms\n", passed.count() * 1e3);
  }

  std::vector<std::uint32_t> dwells;
};

bool compare(const MandelbrotResult& result, const Direct& direct) {
  const std::size_t pixels = direct.dwells.size();
  const std::size_t different = count_different(result.dwells, direct.dwells);
  std::printf("%s: %.1f %% of %zu pixels computed, the rest filled; %zu differ\n",
              to_string(result.report.policy),
              100.0 * static_cast<double>(result.computed) / static_cast<double>(pixels), pixels,
              different);
  return static_cast<double>(different) <= kMissedPixels * static_cast<double>(pixels);
}

void write(const MandelbrotOptions& options, const MandelbrotResult& result, OutputFile& file) {
  write_dwell_png(result.dwells, options.width, options.height, options.max_dwell, file.stream());
  file.commit();
  std::printf("written: %s, %dx%d\n\n", file.path().c_str(), options.width, options.height);
}

}  // namespace

int main(int argc, char** argv) {
  ExampleCommand command(
      "The Mandelbrot set: rectangles with a border of one dwell are filled, others cut in four.",
      {"borders", "pixels", "fills"});
  MandelbrotOptions options;
  std::string path;
  std::string size = "1280x720";
  std::string view = "whole";
  bool force = false;
  std::string views;
  for (const std::string& name : preset_views()) views += name + ", ";
  CLI::App& app = command.app();
  app.add_option("--out", path, "PNG file to write (default: none)");
  app.add_option("--size", size, "WIDTHxHEIGHT in pixels")->capture_default_str();
  app.add_option("--max-dwell", options.max_dwell, "iterations at most")->capture_default_str();
  app.add_option("--view", view, views + "or RE,IM,WIDTH")->capture_default_str();
  app.add_flag("--force", force, "replace an existing file");

  std::optional<OutputFile> file;
  std::optional<Direct> direct;
  return command.run(argc, argv, [&](millrace::Queue& queue, millrace::Policy policy) {
    const bool first = !direct;
    if (first) {
      parse_size(size, options);
      options.view = parse_view(view);
      if (!path.empty()) file.emplace(path, force);
      direct.emplace(options);
    }
    options.run.policy = policy;
    const MandelbrotResult result = draw_mandelbrot(queue, options);
    const bool correct = compare(result, *direct);
    if (first && file) write(options, result, *file);
    command.add(result.report);
    return correct;
  });
}
