// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/reproduce/motion/motion_inputs.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include <millrace/tools/benchmarks/workloads/motion/motion_workload.h>

namespace millrace::tools {
namespace {

constexpr std::uint32_t kSeed = 20130601;

// Size of the pictures for Scale::kTiny, in samples.
constexpr int kTinyWidth = 64;
constexpr int kTinyHeight = 48;

// A third, in whole macroblocks.
int third_of(int size) { return (size + 47) / 48 * 16; }

bool is_of(const MotionClip& clip, const MotionFormat& format) {
  const Picture& picture = clip.pictures[0];
  return &format_of(picture.width(), picture.height()) == &format;
}

void copy_plane(const ConstPicturePlane& from, int left, int top, const PicturePlane& to) {
  for (int y = 0; y < to.height; ++y) {
    std::copy_n(from.row(top + y) + left, to.width, to.row(y));
  }
}

// Returns at most the first kMostBytes of a name in UTF-8. No character is cut.
std::string beginning_of(const std::string& name) {
  constexpr std::size_t kMostBytes = 28;
  if (name.size() <= kMostBytes) return name;
  const auto is_inside = [&](std::size_t place) {
    return (static_cast<unsigned char>(name[place]) & 0xc0) == 0x80;
  };
  std::size_t end = kMostBytes;
  while (end > 0 && is_inside(end)) --end;
  return name.substr(0, end);
}

}  // namespace

const MotionFormat& format_of(int width, int height) {
  const auto distance = [&](const MotionFormat& format) {
    return std::abs(std::log(static_cast<double>(width) * height / format.width / format.height));
  };
  return *std::ranges::min_element(kMotionFormats, {}, distance);
}

MotionClip middle_of(const MotionClip& clip, int width, int height) {
  const Picture& first = clip.pictures[0];
  const int own_width = std::min(width, first.width());
  const int own_height = std::min(height, first.height());
  if (own_width == first.width() && own_height == first.height()) return clip;
  // Even, so that chroma begins at a sample.
  const int left = (first.width() - own_width) / 4 * 2;
  const int top = (first.height() - own_height) / 4 * 2;
  MotionClip middle{clip.name, {}};
  for (const Picture& picture : clip.pictures) {
    Picture& part = middle.pictures.emplace_back(own_width, own_height);
    for (int plane = 0; plane < Picture::kPlanes; ++plane) {
      const int by = plane == 0 ? 1 : 2;
      copy_plane(picture.plane(plane), left / by, top / by, part.plane(plane));
    }
    part.pad();
  }
  return middle;
}

MotionClip moving_texture(const std::shared_ptr<Device>& device, int width, int height,
                          std::size_t pictures) {
  MotionWorkload workload(device, width, height, pictures);
  workload.fill_with_texture(kSeed);
  MotionClip clip{"texture", {}};
  for (std::size_t i = 0; i < pictures; ++i) {
    Picture& picture = clip.pictures.emplace_back(width, height);
    const PicturePlane luma = picture.plane(0);
    for (int y = 0; y < height; ++y) {
      std::copy_n(workload.picture(i) + static_cast<std::ptrdiff_t>(y) * workload.width(), width,
                  luma.row(y));
    }
    picture.pad();
  }
  return clip;
}

void label_inputs(std::vector<MotionClip>& inputs) {
  std::set<std::string> labels;
  for (MotionClip& input : inputs) {
    const std::string label = beginning_of(input.name) + ", " + input.size();
    input.name = label;
    for (int i = 2; !labels.insert(input.name).second; ++i) {
      input.name = label + " (" + std::to_string(i) + ')';
    }
  }
}

MotionInputs::MotionInputs(const ReproduceOptions& options) : options_(options) {
  for (const std::string& path : options.clips) {
    clips_.push_back(read_motion_clip(path, pictures()));
  }
}

std::vector<MotionClip> MotionInputs::of(const MotionFormat& format) const {
  std::vector<MotionClip> inputs;
  for (const MotionClip& clip : clips_) {
    if (!is_of(clip, format)) continue;
    const Picture& picture = clip.pictures[0];
    const PictureSize size = scaled(PictureSize{picture.width(), picture.height()});
    inputs.push_back(middle_of(clip, size.width, size.height));
  }
  if (inputs.empty()) {
    const PictureSize size = scaled(PictureSize{format.width, format.height});
    inputs.push_back(moving_texture(options_.device, size.width, size.height, pictures()));
  }
  label_inputs(inputs);
  return inputs;
}

bool MotionInputs::are_textures(const MotionFormat& format) const {
  return std::ranges::none_of(clips_, [&](const MotionClip& clip) { return is_of(clip, format); });
}

int MotionInputs::range() const { return options_.scale_of_device() == Scale::kTiny ? 8 : 32; }

std::size_t MotionInputs::pictures() const {
  switch (options_.scale_of_device()) {
    case Scale::kTiny: return 2;
    case Scale::kQuick: return 3;
    case Scale::kFull: break;
  }
  return 4;
}

PictureSize MotionInputs::scaled(const PictureSize& size) const {
  switch (options_.scale_of_device()) {
    case Scale::kTiny: return {kTinyWidth, kTinyHeight};
    case Scale::kQuick: return {third_of(size.width), third_of(size.height)};
    case Scale::kFull: break;
  }
  return size;
}

}  // namespace millrace::tools
