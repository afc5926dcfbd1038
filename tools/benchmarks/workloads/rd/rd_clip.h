// SPDX-License-Identifier: Apache-2.0

// Clips in memory for measurements of encoders.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_RD_RD_CLIP_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_RD_RD_CLIP_H_

#include <millrace/runtime/core/device.h>
#include <millrace/tools/video/picture/clip_format.h>
#include <millrace/tools/video/picture/picture.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {

struct RdClip {
  std::vector<Picture> pictures;  // One or more, of one even size.
  FrameRate rate = {};

  int width() const { return pictures.front().width(); }
  int height() const { return pictures.front().height(); }
  std::string hash() const;  // Hash of all visible samples.
};

// Reads the first `most` pictures, or as many as there are. Throws what VideoReader throws, and
// kInvalidArgument for an odd size, which x264 does not take.
RdClip read_rd_clip(const std::string& path, std::size_t most);

// Returns QCIF pictures of a moving texture, the same in each call; smaller ones for a simulated
// device.
RdClip made_rd_clip(const std::shared_ptr<Device>& device, std::size_t pictures);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_RD_RD_CLIP_H_
