// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/performance/work_titles.h>

#include <cstddef>
#include <string_view>

namespace millrace::tools {
namespace {

struct Title {
  std::string_view name;
  std::string_view text;
};

constexpr Title kWorkloads[] = {
    {"idct", "H.264 inverse transforms, in device memory"},
    {"idct-host", "H.264 inverse transforms, host to host"},
    {"idct-host-features", "H.264 inverse transforms and sums of each picture, host to host"},
    {"idct-host-picture", "H.264 inverse transforms and prediction, host to host"},
    {"motion-integer", "Full search of motion to whole samples"},
    {"motion-half", "Full search of motion to half samples"},
    {"motion-quarter", "Full search of motion to quarter samples"},
    {"motion-range-64", "Full search of motion to quarter samples, four times the positions"},
    {"rd", "H.264 encoding, from pictures in memory"},
    {"h264", "H.264 decoding on one core"},
    {"h264-scaling", "H.264 streams on all cores and on one"},
    {"features", "Features of an H.264 stream on one core"},
    {"features-start", "Start of the features of an H.264 stream"},
    {"h264-slices", "H.264 entropy decoding of many slices at once"},
    {"h264-streams", "Features of many H.264 streams, from bytes in host memory"},
    {"h264-decoding", "Features and pictures of many H.264 streams, from bytes in host memory"},
    {"h264-latency", "Latency of the features of H.264 pictures"},
    {"sort-keys", "Sort of u32 keys"},
    {"sort-pairs", "Sort of u32 pairs"},
    {"sort-argsort", "Sort of u32 keys to their indices"},
    {"three-star-count", "3-stars of points, counted"},
    {"three-star-compressed", "3-stars of points, compressed"},
    {"three-star-visit", "3-stars of points, each visited in host memory"},
    {"tasks-tree", "Tasks of a balanced tree"},
    {"tasks-large-tree", "Tasks of a balanced tree, large ones"},
    {"tasks-read-tree", "Tasks of a balanced tree whose leaves read memory"},
    {"tasks-geo", "Tasks of an unbalanced tree"},
    {"tasks-bin", "Tasks of binomial trees"},
    {"tasks-calls", "Tasks for the calls of a Fibonacci number, without joins"},
    {"tasks-chains", "Tasks in chains, each of which spawns the next"},
    {"tasks-flat", "Tasks of a flat queue that sums items of 16 B"},
    {"tasks-copies", "Tasks of a flat queue that copies pieces of 512 B"},
    {"tasks-empty-flat", "Tasks of a flat queue that sums numbers"},
    {"tasks-empty-spawn", "Tasks that sum numbers, all spawned by one"},
    {"tasks-empty-halves", "Tasks that sum numbers, each halving its range"},
    {"tasks-quadrature", "Tasks of adaptive quadrature"},
    {"tasks-n-queens", "Tasks of the n queens problem"},
    {"tasks-mandelbrot", "Tasks of the Mandelbrot set"},
    {"joins-fibonacci", "A Fibonacci number, a task with a join for each call"},
    {"joins-n-queens", "N queens, a task with a join for each placement"},
    {"joins-uts", "Unbalanced tree search (UTS), a task for each node"},
    {"joins-wavefront", "Local alignment of two sequences, a task for each tile"},
    {"joins-cholesky", "Cholesky factorization, a task for each step of a tile"},
    {"joins-merge-sort", "Merge sort of pairs, a task with a join for each range"},
    {"group-motion-integer", "Full search of motion to whole samples, shared by devices"},
    {"group-motion-quarter", "Full search of motion to quarter samples, shared by devices"},
    {"group-three-star-count", "3-stars of points, counted, shared by devices"},
    {"group-three-star-compressed", "3-stars of points, compressed, shared by devices"},
    {"group-sort-keys", "Sort of u32 keys, shared by devices"},
    {"group-sort-pairs", "Sort of u32 pairs, shared by devices"},
    {"group-sort-argsort", "Sort of u32 keys to their indices, shared by devices"},
    {"group-idct", "H.264 inverse transforms, host to host, shared by devices"},
    {"group-tree", "Unbalanced tree search (UTS), shared by devices"},
    {"group-calls", "A Fibonacci number, a task with a join for each call, shared by devices"},
    {"micro-copy", "Copy in device memory"},
    {"micro-upload", "Copy from host to device"},
    {"micro-download", "Copy from device to host"},
};

// Strategies of rows of their own: of sorts, by where input and output are, and of a decoder.
constexpr Title kStrategies[] = {{"device", "in device memory"},
                                 {"pinned", "from pinned host memory"},
                                 {"host", "from pageable host memory"},
                                 {"parse", "parsing alone"}};

template <std::size_t kCount>
std::string text_of(const Title (&titles)[kCount], const std::string& name) {
  for (const Title& title : titles) {
    if (title.name == name) return std::string(title.text);
  }
  return name;
}

}  // namespace

std::string title_of_workload(const std::string& workload) { return text_of(kWorkloads, workload); }

std::string named_title_of_workload(const std::string& workload) {
  const std::string title = title_of_workload(workload);
  return title == workload ? workload : title + " (" + workload + ")";
}

std::string work_text(const std::string& title, const std::string& input,
                      const std::string& strategy) {
  std::string text = title;
  if (!input.empty()) text += ", " + input;
  if (!strategy.empty()) text += ", " + text_of(kStrategies, strategy);
  return text;
}

}  // namespace millrace::tools
