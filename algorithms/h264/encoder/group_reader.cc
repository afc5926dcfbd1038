// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/group_reader.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace millrace::h264 {
namespace {

// Repeats the last samples inside the cropping rectangle to the edges of the picture.
void extend(SamplePicture& picture, int width, int height) {
  for (int plane = 0; plane < 3; ++plane) {
    const auto stride = static_cast<std::size_t>(picture.width(plane));
    const auto inside = static_cast<std::size_t>(plane == 0 ? width : width / 2);
    const int rows = plane == 0 ? height : height / 2;
    std::uint8_t* row = picture.plane(plane);
    for (int y = 0; y < picture.height(plane); ++y, row += stride) {
      if (y >= rows) {
        std::memcpy(row, row - stride, stride);
      } else {
        std::fill(row + inside, row + stride, row[inside - 1]);
      }
    }
  }
}

}  // namespace

GroupReader::GroupReader(const EncoderOptions& options,
                         const std::function<bool(SamplePicture&)>& produce)
    : options_(options),
      produce_(produce),
      columns_((options.width + 15) / 16),
      rows_((options.height + 15) / 16),
      cuts_(columns_, rows_) {}

void GroupReader::read(GroupPictures& group) {
  group.count = 0;
  while (group.count < static_cast<std::size_t>(options_.pictures_a_group)) {
    if (group.count == group.pictures.size()) group.pictures.emplace_back();
    if (!read_picture(group.pictures[group.count], group.count == 0)) return;
    ++group.count;
  }
}

bool GroupReader::read_picture(std::shared_ptr<SamplePicture>& picture, bool is_first) {
  if (next_ != nullptr) {
    picture = std::move(next_);
    next_ = nullptr;
    return true;
  }
  if (is_ended_) return false;
  if (!produce(picture)) {
    is_ended_ = true;
    return false;
  }
  if (!begins_scene(*picture) || is_first) return true;
  next_ = std::move(picture);
  picture = nullptr;
  return false;
}

bool GroupReader::produce(std::shared_ptr<SamplePicture>& picture) const {
  if (picture == nullptr) {
    picture =
        std::make_shared<SamplePicture>(columns_, rows_, SamplePicture::Samples::kUninitialised);
  }
  if (!produce_(*picture)) return false;
  extend(*picture, options_.width, options_.height);
  return true;
}

bool GroupReader::begins_scene(const SamplePicture& picture) {
  return options_.finds_scene_cuts && cuts_.begins_scene(picture);
}

}  // namespace millrace::h264
