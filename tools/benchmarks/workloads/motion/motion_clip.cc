// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/motion/motion_clip.h>
#include <millrace/tools/video/video_reader.h>

#include <algorithm>

namespace millrace::tools {

MotionWorkload motion_workload_of_clip(const std::shared_ptr<Device>& device,
                                       const std::string& clip, std::size_t most) {
  VideoReader reader(clip);
  std::vector<Picture> pictures;
  for (Picture picture; pictures.size() < most && reader.next(picture);) {
    pictures.push_back(picture);
  }
  return motion_workload_of(device, pictures);
}

MotionWorkload motion_workload_of(const std::shared_ptr<Device>& device,
                                  const std::vector<Picture>& pictures) {
  MotionWorkload workload(device, pictures[0].width(), pictures[0].height(), pictures.size());
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const ConstPicturePlane luma = pictures[i].plane(0);
    for (int y = 0; y < workload.height(); ++y) {
      std::copy_n(luma.row(y), workload.width(),
                  workload.distinct_picture(i) + static_cast<std::ptrdiff_t>(y) * workload.width());
    }
  }
  return workload;
}

}  // namespace millrace::tools
