#include <millrace/tools/benchmark/motion_clip.h>

#include <algorithm>
#include <utility>
#include <vector>

#include <millrace/tools/video/picture.h>
#include <millrace/tools/video/video_reader.h>

namespace millrace::tools {

MotionWorkload motion_workload_of_clip(const std::shared_ptr<Device>& device,
                                       const std::string& clip, std::size_t most) {
  VideoReader reader(clip);
  std::vector<Picture> pictures;
  for (Picture picture; pictures.size() < most && reader.next(picture);) {
    pictures.push_back(picture);
  }
  MotionWorkload workload(device, reader.width(), reader.height(), pictures.size());
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const ConstPicturePlane luma = std::as_const(pictures[i]).plane(0);
    for (int y = 0; y < workload.height(); ++y) {
      std::copy_n(luma.row(y), workload.width(),
                  workload.distinct_picture(i) + static_cast<std::ptrdiff_t>(y) * workload.width());
    }
  }
  return workload;
}

}  // namespace millrace::tools
