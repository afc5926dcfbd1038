// SPDX-License-Identifier: Apache-2.0

// Pictures on which searches are compared as in tables 2 to 10 of Rodriguez-Sanchez, Martinez,
// Fernandez-Escribano, Sanchez and Claver, "H.264/AVC inter prediction on accelerator-based
// multi-core systems", 2013.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_PAPER_INPUT_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_PAPER_INPUT_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/runtime/core/device.h>
#include <millrace/tools/benchmarks/workloads/workload.h>
#include <millrace/tools/video/picture/picture.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {

struct MotionClip {
  std::string name;
  std::vector<Picture> pictures;  // Two or more, of one size.

  std::string size() const;  // "1280x720".
};

// The first `most` pictures of a clip, or as many as it has. Throws kInvalidArgument where that is
// one, and what VideoReader throws.
MotionClip read_motion_clip(const std::string& path, std::size_t most);

// The middle of every picture: at most so many samples wide and high.
MotionClip middle_of(const MotionClip& clip, int width, int height);

// A texture that moves, the same for the same arguments.
MotionClip moving_texture(const std::shared_ptr<Device>& device, int width, int height,
                          std::size_t pictures);

inline constexpr char kMotionTexture[] = "texture";

// A size of the workloads "motion-quality" and "motion-paper": so many macroblocks of pictures,
// which are the middle of pictures of the format, and the range of the search in samples. Textures
// have this size; of a clip, no more than that is taken from the middle.
struct MotionPaperSize {
  std::uint64_t macroblocks;
  int width;
  int height;
  int format_width;
  int format_height;
  std::size_t pictures;
  int range;
};

inline constexpr MotionPaperSize kMotionPaperSizes[] = {
    {12, 64, 48, 640, 480, 2, 8},          {140, 224, 160, 640, 480, 3, 32},
    {405, 432, 240, 1280, 720, 3, 32},     {920, 640, 368, 1920, 1080, 3, 32},
    {1'200, 640, 480, 640, 480, 4, 32},    {3'600, 1280, 720, 1280, 720, 4, 32},
    {8'160, 1920, 1080, 1920, 1080, 4, 32}};

struct MotionPaperInput {
  MotionClip clip;
  int range = 32;
  int source_width = 0;  // Width of the pictures of which `clip` is the middle.
  int source_height = 0;

  // Returns the figures that say of what pictures a measurement is.
  std::map<std::string, double> values() const;

  // Returns the hash of all samples of luma.
  std::string hash() const;
};

// Names of these figures.
inline constexpr char kPictureWidth[] = "width";
inline constexpr char kPictureHeight[] = "height";
inline constexpr char kSourceWidth[] = "source width";
inline constexpr char kSourceHeight[] = "source height";
inline constexpr char kSearchRange[] = "range";

// `input` is kMotionTexture or the path of a clip, `size` one of kMotionPaperSizes or, of a clip,
// 0: its first 12 pictures, whole. Throws what read_motion_clip() throws.
MotionPaperInput motion_paper_input(const std::shared_ptr<Device>& device, const std::string& input,
                                    std::uint64_t size);

// Sets the inputs and sizes of a workload of these pictures.
void set_motion_paper_axes(Workload& workload);

// The paper's QPs, and the one whose lambda timed searches have.
inline constexpr std::array kPaperQps = {28, 32, 36, 40};
inline constexpr int kTimedQp = 32;

// Returns options of a search to quarter samples.
motion::SearchOptions paper_search_options(int range, int qp);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_PAPER_INPUT_H_
