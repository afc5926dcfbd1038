// SPDX-License-Identifier: Apache-2.0

// Inputs of motion estimation: clips that were given, or moving textures.
#ifndef MILLRACE_TOOLS_REPRODUCE_MOTION_MOTION_INPUTS_H_
#define MILLRACE_TOOLS_REPRODUCE_MOTION_MOTION_INPUTS_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <millrace/tools/benchmarks/drivers/motion/motion_benchmark.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_comparison.h>
#include <millrace/tools/reproduce/tables/reproduction.h>

namespace millrace::tools {

// A format of the paper's sequences, and the tables of it: what the search is worth, and what all
// of motion estimation and its parallel part take.
struct MotionFormat {
  int width;
  int height;
  const char* quality_table;
  const char* whole_table;
  const char* parallel_table;
};

inline constexpr MotionFormat kMotionFormats[] = {{640, 480, "Table 2", "Table 5", "Table 8"},
                                                  {1280, 720, "Table 3", "Table 6", "Table 9"},
                                                  {1920, 1080, "Table 4", "Table 7", "Table 10"}};

// The format whose pictures have the nearest number of samples, by ratio.
const MotionFormat& format_of(int width, int height);

// The middle of every picture: at most so many samples wide and high.
MotionClip middle_of(const MotionClip& clip, int width, int height);

// A texture that moves, the same for the same arguments.
MotionClip moving_texture(const std::shared_ptr<Device>& device, int width, int height,
                          std::size_t pictures);

// Names each by at most 28 bytes of its name and its size; no two alike: a second one of a name
// ends in " (2)".
void label_inputs(std::vector<MotionClip>& inputs);

// All inputs by format. Each has clips: those given that are nearest to it, or else a texture.
// Pictures are whole with kFull, of a third of the width and height with kQuick, and small with
// kTiny; names are by label_inputs(). Throws what read_motion_clip() throws.
class MotionInputs {
 public:
  explicit MotionInputs(const ReproduceOptions& options);

  // For one of kMotionFormats.
  std::vector<MotionClip> of(const MotionFormat& format) const;

  // True if no clip is of this format.
  bool are_textures(const MotionFormat& format) const;

  // Returns the range of the search, in samples.
  int range() const;

 private:
  std::size_t pictures() const;
  PictureSize scaled(const PictureSize& size) const;

  const ReproduceOptions& options_;
  std::vector<MotionClip> clips_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_MOTION_MOTION_INPUTS_H_
