// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/benchmarks/harness/input_hash.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_paper_input.h>
#include <millrace/tools/benchmarks/workloads/rd/rd_clip.h>
#include <millrace/tools/video/video_reader.h>

#include <cstdint>
#include <span>
#include <utility>

namespace millrace::tools {
namespace {

struct Size {
  int width;
  int height;
};

constexpr Size kMade = {176, 144};
constexpr Size kMadeOfSimulation = {48, 32};  // 300 macroblocks take ten seconds.

// Gives the picture the colours of its luma, paler and, in Cr, inverted.
void colour(Picture& picture) {
  const ConstPicturePlane luma = std::as_const(picture).plane(0);
  for (const int index : {1, 2}) {
    const PicturePlane chroma = picture.plane(index);
    for (int y = 0; y < chroma.height; ++y) {
      for (int x = 0; x < chroma.width; ++x) {
        const int difference = (luma.row(2 * y)[2 * x] - 128) / 4;
        chroma.row(y)[x] = static_cast<std::uint8_t>(128 + (index == 1 ? difference : -difference));
      }
    }
  }
  picture.pad();
}

}  // namespace

std::string RdClip::hash() const {
  InputHash hash;
  for (const Picture& picture : pictures) {
    for (int index = 0; index < Picture::kPlanes; ++index) {
      const ConstPicturePlane plane = picture.plane(index);
      for (int y = 0; y < plane.height; ++y) {
        hash.add(std::span(plane.row(y), static_cast<std::size_t>(plane.width)));
      }
    }
  }
  return hash.text();
}

RdClip read_rd_clip(const std::string& path, std::size_t most) {
  VideoReader reader(path);
  if (reader.width() % 2 != 0 || reader.height() % 2 != 0) {
    reject(path + " has pictures of " + std::to_string(reader.width()) + "x" +
           std::to_string(reader.height()) + "; give a clip of an even size");
  }
  RdClip clip{.pictures = {}, .rate = reader.frame_rate()};
  Picture picture;
  while (clip.pictures.size() < most && reader.next(picture)) clip.pictures.push_back(picture);
  return clip;
}

RdClip made_rd_clip(const std::shared_ptr<Device>& device, std::size_t pictures) {
  const Size size = device->info().is_simulated ? kMadeOfSimulation : kMade;
  RdClip clip{.pictures = moving_texture(device, size.width, size.height, pictures).pictures};
  for (Picture& picture : clip.pictures) colour(picture);
  return clip;
}

}  // namespace millrace::tools
