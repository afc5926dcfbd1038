// SPDX-License-Identifier: Apache-2.0

// Drawings of the chosen partitions and their vectors over a clip's pictures: a video, or numbered
// PNG files.
#ifndef MILLRACE_TOOLS_COMMAND_ME_VECTORS_MOTION_OVERLAY_H_
#define MILLRACE_TOOLS_COMMAND_ME_VECTORS_MOTION_OVERLAY_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/tools/command/me/vectors/chosen_partition.h>
#include <millrace/tools/command/me/vectors/motion_view.h>
#include <millrace/tools/files/output/output_file.h>
#include <millrace/tools/video/canvas/vector_overlay.h>
#include <millrace/tools/video/video_reader.h>
#include <millrace/tools/video/y4m/y4m_writer.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace millrace::tools {

// Colours that people with any kind of colour vision distinguish (Okabe and Ito, "Color universal
// design", 2008), in the order of kPartitionNames; white instead of their black.
inline constexpr Rgb kPartitionColours[kPartitionKinds] = {
    {0, 114, 178},    // Blue.
    {86, 180, 233},   // Sky blue.
    {0, 158, 115},    // Bluish green.
    {240, 228, 66},   // Yellow.
    {230, 159, 0},    // Orange.
    {213, 94, 0},     // Vermilion.
    {204, 121, 167},  // Reddish purple.
    {255, 255, 255},  // White.
};

class MotionOverlay {
 public:
  // `path` ends in .y4m; or in .png: then NAME-00012.png is the picture of index 12. Throws
  // Error(kInvalidArgument) for another ending, Error(kIo) for files that exist and not `force`, or
  // that cannot be written.
  MotionOverlay(const std::string& path, bool force, const VideoReader& clip,
                const motion::SearchOptions& options);

  // Draws the next picture of the clip; one without references is drawn unchanged. Throws
  // Error(kIo).
  void add(const MotionView& picture);

  // Returns all files that were written, to be committed.
  std::vector<OutputFile*> files();

  // Removes the numbered pictures that an earlier run left behind the last one; call it after the
  // commit. Returns a message about one that cannot be removed, or "".
  std::string remove_rest() const;

 private:
  void add_blocks(const MotionView& picture, std::size_t macroblock);
  void write(std::uint64_t index, const RgbCanvas& canvas);
  void start_png(std::uint64_t index);

  const std::string path_;
  const bool force_;
  const motion::Precision precision_;
  VectorOverlay overlay_;
  std::vector<std::unique_ptr<OutputFile>> files_;
  std::optional<Y4mWriter> video_;  // Writes the only file; empty for numbered pictures.
  Picture frame_;
  std::vector<ChosenPartition> chosen_;  // Partitions of one macroblock.
  std::vector<OverlayBlock> blocks_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_ME_VECTORS_MOTION_OVERLAY_H_
