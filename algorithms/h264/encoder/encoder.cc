// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/encoder.h>
#include <millrace/algorithms/h264/encoder/group_encoder.h>
#include <millrace/algorithms/h264/encoder/group_search.h>
#include <millrace/algorithms/h264/encoder/parameter_choice.h>
#include <millrace/algorithms/h264/encoder/scene_cut.h>
#include <millrace/algorithms/h264/encoder/syntax/macroblock_levels.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/motion_estimation/partition.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/host/host_threads.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace millrace::h264 {
namespace {

// Groups that are encoded at once take at most these bytes. Where two take more, there is one,
// which does not keep its pictures.
constexpr std::size_t kMostGroupBytes = std::size_t{300} << 20;

// Returns the size of a group with its pictures and its GroupEncoder.
std::size_t group_bytes(const EncoderOptions& options, const SequenceParameters& sequence) {
  constexpr std::size_t kPicture = 384;  // Samples of a macroblock.
  constexpr std::size_t kField = motion::kPartitions * (sizeof(MotionVector) + 4);
  const auto references = static_cast<std::size_t>(options.references);
  const std::size_t of_macroblock =
      kPicture * (static_cast<std::size_t>(options.pictures_a_group) + 1) +
      2 * kField * references + sizeof(Macroblock) + sizeof(MacroblockLevels);
  return static_cast<std::size_t>(sequence.macroblock_count()) * of_macroblock;
}

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

// One group of pictures on its way.
struct Group {
  std::vector<std::shared_ptr<SamplePicture>> pictures;  // Null: not allocated yet.
  std::size_t count = 0;
  std::vector<CodedPicture> coded;
  std::unique_ptr<GroupEncoder> encoder;
};

}  // namespace

void check_encoder_options(const EncoderOptions& options) {
  check_range("width", options.width, 16, 4096);
  check_range("height", options.height, 16, 2304);
  if (options.width % 2 != 0 || options.height % 2 != 0) {
    reject("a picture of " + std::to_string(options.width) + " x " +
           std::to_string(options.height) + " samples; both must be even");
  }
  if (options.frame_rate == 0 || options.frame_rate_base == 0) {
    reject("the frame rate is " + std::to_string(options.frame_rate) + "/" +
           std::to_string(options.frame_rate_base) + "; both must be above 0");
  }
  // time_scale is twice the rate.
  check_range("frame_rate", options.frame_rate, 1, 0x7fff'ffff);
  check_range("sample_aspect_width", options.sample_aspect_width, 0, 0xffff);
  check_range("sample_aspect_height", options.sample_aspect_height, 0, 0xffff);
  check_range("qp", options.qp, 0, 51);
  check_range("pictures_a_group", options.pictures_a_group, 1, 1000);
  check_range("range", options.range, motion::kLeastRange, motion::kMostRange);
  check_range("references", options.references, 1, motion::kMostReferences);
  check_range("slices", options.slices, 1, (options.height + 15) / 16);
}

class Encoder::Run {
 public:
  Run(std::shared_ptr<Device> device, const EncoderOptions& options, const EncoderStages& stages)
      : options_(options),
        stages_(stages),
        sequence_(sequence_parameters_for(options)),
        picture_(picture_parameters_for(options)),
        groups_(group_count()),
        cuts_(sequence_.width_in_macroblocks, sequence_.height_in_macroblocks),
        search_(std::move(device), options, static_cast<int>(groups_.size())) {
    for (Group& group : groups_) {
      group.encoder = std::make_unique<GroupEncoder>(options_, sequence_, picture_);
    }
  }

  void operator()(const std::stop_token& stop) {
    while (!is_ended_ && !stop.stop_requested()) {
      if (groups_.size() == 1) {
        encode_one_by_one(groups_.front());
      } else {
        encode_groups(stop);
      }
    }
  }

 private:
  std::size_t group_count() const {
    const auto threads = static_cast<std::size_t>(HostThreads::shared().count());
    return std::clamp<std::size_t>(kMostGroupBytes / group_bytes(options_, sequence_), 1, threads);
  }

  void encode_groups(const std::stop_token& stop) {
    for (Group& group : groups_) {
      is_ended_ = is_ended_ || stop.stop_requested();
      read(group);
    }
    encode();
    for (const Group& group : groups_) {
      for (std::size_t i = 0; i < group.count; ++i) {
        emit(group.coded[i], *group.pictures[i], i == 0);
      }
    }
  }

  // Emits each picture of a group before it reads the next one: memory does not grow with the
  // group's length.
  void encode_one_by_one(Group& group) {
    group.encoder->begin_group();
    // The references of a picture are in other places than the picture.
    group.pictures.resize(static_cast<std::size_t>(options_.references) + 1);
    const auto most = static_cast<std::size_t>(options_.pictures_a_group);
    const int idr_id = static_cast<int>(first_idr_++ % 2);
    for (std::size_t i = 0; i < most; ++i) {
      std::shared_ptr<SamplePicture>& picture = group.pictures[i % group.pictures.size()];
      if (!read_picture(picture, i == 0)) return;
      const SearchedPicture searched = {group.encoder.get(), picture.get()};
      search_.search({&searched, 1});
      const CodedPicture coded = group.encoder->encode(picture, idr_id);
      emit(coded, *picture, i == 0);
    }
  }

  void read(Group& group) {
    group.count = 0;
    group.coded.clear();
    while (group.count < static_cast<std::size_t>(options_.pictures_a_group)) {
      if (group.count == group.pictures.size()) group.pictures.emplace_back();
      if (!read_picture(group.pictures[group.count], group.count == 0)) return;
      ++group.count;
    }
  }

  // Reads the next picture of a group. Returns false where the group ends, at a cut or with the
  // clip.
  bool read_picture(std::shared_ptr<SamplePicture>& picture, bool is_first) {
    if (is_ended_) return false;
    if (has_next_) {
      std::swap(picture, next_);
      has_next_ = false;
      return true;
    }
    if (!produce(picture)) {
      is_ended_ = true;
      return false;
    }
    if (!begins_scene(*picture) || is_first) return true;
    std::swap(picture, next_);
    has_next_ = true;
    return false;
  }

  bool produce(std::shared_ptr<SamplePicture>& picture) const {
    if (picture == nullptr) {
      picture = std::make_shared<SamplePicture>(sequence_.width_in_macroblocks,
                                                sequence_.height_in_macroblocks);
    }
    if (!stages_.produce(*picture)) return false;
    extend(*picture, options_.width, options_.height);
    return true;
  }

  bool begins_scene(const SamplePicture& picture) {
    return options_.finds_scene_cuts && cuts_.begins_scene(picture);
  }

  void encode() {
    for (Group& group : groups_) group.encoder->begin_group();
    std::size_t longest = 0;
    for (const Group& group : groups_) longest = std::max(longest, group.count);
    for (std::size_t step = 0; step < longest; ++step) {
      std::vector<SearchedPicture> searched;
      std::vector<Group*> active;
      for (Group& group : groups_) {
        if (step >= group.count) continue;
        active.push_back(&group);
        searched.push_back({group.encoder.get(), group.pictures[step].get()});
      }
      search_.search(searched);
      HostThreads::shared().for_each(active.size(), [&](std::size_t i) {
        Group& group = *active[i];
        const int idr_id = static_cast<int>((first_idr_ + (active[i] - groups_.data())) % 2);
        group.coded.push_back(group.encoder->encode(group.pictures[step], idr_id));
      });
    }
    first_idr_ += static_cast<std::ptrdiff_t>(groups_.size());
  }

  void emit(const CodedPicture& coded, const SamplePicture& reconstruction, bool is_idr) {
    EncodedPicture picture;
    picture.index = index_++;
    picture.type = coded.type;
    picture.is_idr = is_idr;
    picture.qp = options_.qp;
    picture.bytes = coded.bytes;
    picture.reconstruction = &reconstruction;
    std::ranges::copy(coded.squared_errors, picture.squared_errors);
    stages_.consume(picture);
  }

  const EncoderOptions& options_;
  const EncoderStages& stages_;
  const SequenceParameters sequence_;
  const PictureParameters picture_;
  std::vector<Group> groups_;
  SceneCutFinder cuts_;
  GroupSearch search_;
  std::shared_ptr<SamplePicture> next_;  // The first of the next group,
  bool has_next_ = false;                // where a cut ended a group.
  bool is_ended_ = false;
  std::int64_t index_ = 0;
  std::ptrdiff_t first_idr_ = 0;
};

Encoder::Encoder(std::shared_ptr<Device> device, const EncoderOptions& options)
    : device_(std::move(device)), options_(options) {
  check_encoder_options(options_);
}

Encoder::~Encoder() = default;

void Encoder::run(const EncoderStages& stages, const std::stop_token& stop) {
  Run(device_, options_, stages)(stop);
}

}  // namespace millrace::h264
