// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/motion_cost.h>
#include <millrace/runtime/core/check.h>
#include <millrace/tools/benchmarks/harness/input_hash.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_paper_input.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_workload.h>
#include <millrace/tools/video/video_reader.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

namespace millrace::tools {
namespace {

constexpr std::uint32_t kSeed = 20130601;
constexpr std::size_t kPicturesOfClip = 12;

void copy_plane(const ConstPicturePlane& from, int left, int top, const PicturePlane& to) {
  for (int y = 0; y < to.height; ++y) {
    std::copy_n(from.row(top + y) + left, to.width, to.row(y));
  }
}

const MotionPaperSize* find_size(std::uint64_t macroblocks) {
  const auto* const found =
      std::ranges::find(kMotionPaperSizes, macroblocks, &MotionPaperSize::macroblocks);
  return found == std::end(kMotionPaperSizes) ? nullptr : found;
}

}  // namespace

std::string MotionClip::size() const {
  return std::to_string(pictures[0].width()) + "x" + std::to_string(pictures[0].height());
}

MotionClip read_motion_clip(const std::string& path, std::size_t most) {
  MotionClip clip{std::filesystem::path(path).filename().string(), {}};
  VideoReader reader(path);
  Picture picture;
  while (clip.pictures.size() < most && reader.next(picture)) clip.pictures.push_back(picture);
  if (clip.pictures.size() < 2) {
    reject(path + " has fewer than two pictures; a search needs two");
  }
  return clip;
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
    Picture& cut = middle.pictures.emplace_back(own_width, own_height);
    for (int plane = 0; plane < Picture::kPlanes; ++plane) {
      const int by = plane == 0 ? 1 : 2;
      copy_plane(picture.plane(plane), left / by, top / by, cut.plane(plane));
    }
    cut.pad();
  }
  return middle;
}

MotionClip moving_texture(const std::shared_ptr<Device>& device, int width, int height,
                          std::size_t pictures) {
  MotionWorkload workload(device, width, height, pictures);
  workload.fill_with_texture(kSeed);
  MotionClip clip{kMotionTexture, {}};
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

std::map<std::string, double> MotionPaperInput::values() const {
  return {{kPictureWidth, clip.pictures[0].width()},
          {kPictureHeight, clip.pictures[0].height()},
          {kSourceWidth, source_width},
          {kSourceHeight, source_height},
          {kSearchRange, range}};
}

std::string MotionPaperInput::hash() const {
  InputHash hash;
  for (const Picture& picture : clip.pictures) {
    const ConstPicturePlane luma = picture.plane(0);
    for (int y = 0; y < luma.height; ++y) {
      hash.add(std::span(luma.row(y), static_cast<std::size_t>(luma.width)));
    }
  }
  return hash.text();
}

MotionPaperInput motion_paper_input(const std::shared_ptr<Device>& device, const std::string& input,
                                    std::uint64_t size) {
  const MotionPaperSize* const chosen = find_size(size);
  if (input == kMotionTexture) {
    return {moving_texture(device, chosen->width, chosen->height, chosen->pictures), chosen->range,
            chosen->format_width, chosen->format_height};
  }
  MotionClip clip = read_motion_clip(input, chosen == nullptr ? kPicturesOfClip : chosen->pictures);
  MotionPaperInput whole{.clip = {},
                         .source_width = clip.pictures[0].width(),
                         .source_height = clip.pictures[0].height()};
  if (chosen == nullptr) {
    whole.clip = std::move(clip);
  } else {
    whole.clip = middle_of(clip, chosen->width, chosen->height);
    whole.range = chosen->range;
  }
  return whole;
}

void set_motion_paper_axes(Workload& workload) {
  workload.inputs = {kMotionTexture};
  workload.takes_clips = true;
  workload.sizes = [](const DeviceInfo& device, bool is_quick) -> std::vector<std::uint64_t> {
    if (device.is_simulated) return {12};
    if (is_quick) return {140};
    return {1'200, 3'600, 8'160};
  };
  workload.size_rule = "is a picture of 12, 140, 405, 920, 1200, 3600 or 8160 macroblocks";
  workload.is_size = [](std::uint64_t size) { return find_size(size) != nullptr; };
}

motion::SearchOptions paper_search_options(int range, int qp) {
  return {.range = range,
          .lambda = motion::motion_lambda(qp),
          .precision = motion::Precision::kQuarter};
}

}  // namespace millrace::tools
