// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/device_memory.h>
#include <millrace/algorithms/h264/encoder/group_search.h>
#include <millrace/algorithms/motion_estimation/motion_cost.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace millrace::h264 {
namespace {

motion::LumaPlane<std::uint8_t> luma_plane(const SamplePicture& picture,
                                           const std::uint8_t* samples) {
  return {samples, picture.width(0), picture.width(0), picture.height(0)};
}

std::span<const std::uint8_t> luma_of(const SamplePicture& picture) {
  return {picture.plane(0),
          static_cast<std::size_t>(picture.width(0)) * static_cast<std::size_t>(picture.height(0))};
}

// A search of one picture in one reference, in host memory.
motion::SearchFrame<std::uint8_t> host_frame(const GroupPicture& picture, int reference) {
  const SamplePicture& other = picture.group->reference(reference);
  return {luma_plane(*picture.source, picture.source->plane(0)), luma_plane(other, other.plane(0)),
          picture.group->predictors(reference), picture.group->predictor_stride(reference)};
}

}  // namespace

GroupSearch::GroupSearch(std::shared_ptr<Device> device, const EncoderOptions& options, int groups)
    : device_(std::move(device)), options_(options), queue_(device_->make_queue()) {
  search_options_.range = options.range;
  search_options_.precision = motion::Precision::kQuarter;
  if (device_->info().shares_host_memory || options.search != EncoderSearch::kFull) return;
  DeviceMemory memory(*queue_);
  const std::size_t macroblocks = static_cast<std::size_t>((options.width + 15) / 16) *
                                  static_cast<std::size_t>((options.height + 15) / 16);
  for (int group = 0; group < groups; ++group) {
    DevicePicture& picture = memory_.emplace_back();
    picture.source = memory.make<std::uint8_t>(256 * macroblocks);
    for (int i = 0; i < options.references; ++i) {
      picture.references.push_back(memory.make<std::uint8_t>(256 * macroblocks));
      const std::size_t size = motion::MotionField::index(macroblocks, 0);
      picture.predictors.push_back(memory.make_zeros<MotionVector>(size));
      picture.vectors.push_back(memory.make<MotionVector>(size));
      picture.costs.push_back(memory.make<std::uint32_t>(size));
    }
  }
  queue_->wait();
}

void GroupSearch::search(std::span<const GroupPicture> pictures) {
  if (options_.search != EncoderSearch::kFull) return;  // Macroblocks search for themselves.
  if (device_->info().shares_host_memory) {
    search_on_host(pictures);
  } else {
    search_on_device(pictures);
  }
}

void GroupSearch::add(int qp, const motion::SearchFrame<std::uint8_t>& frame,
                      const motion::MotionField& field) {
  auto of_qp = std::ranges::find(searches_, qp, &SearchesOfQp::qp);
  if (of_qp == searches_.end()) {
    searches_.push_back({.qp = qp, .frames = {}, .fields = {}});
    of_qp = std::prev(searches_.end());
  }
  of_qp->frames.push_back(frame);
  of_qp->fields.push_back(field);
}

void GroupSearch::enqueue_searches() {
  for (const SearchesOfQp& searches : searches_) {
    search_options_.lambda = motion::motion_lambda(searches.qp);
    motion::search_motion<std::uint8_t>(*queue_, searches.frames, searches.fields, search_options_);
  }
}

void GroupSearch::search_on_host(std::span<const GroupPicture> pictures) {
  searches_.clear();
  for (const GroupPicture& picture : pictures) {
    for (int i = 0; i < picture.group->references(); ++i) {
      add(picture.qp, host_frame(picture, i), picture.group->field(i));
    }
  }
  if (searches_.empty()) return;
  enqueue_searches();
  queue_->wait();
}

void GroupSearch::search_on_device(std::span<const GroupPicture> pictures) {
  searches_.clear();
  DeviceMemory memory(*queue_);
  for (std::size_t p = 0; p < pictures.size(); ++p) {
    GroupEncoder& group = *pictures[p].group;
    DevicePicture& device = memory_[p];
    if (group.references() == 0) continue;
    memory.upload(luma_of(*pictures[p].source), device.source, 0);
    for (int i = 0; i < group.references(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      memory.upload(luma_of(group.reference(i)), device.references[at], 0);
      const std::ptrdiff_t stride = group.predictor_stride(i);
      const std::size_t size = stride == 0 ? 1 : device.vectors[at].size();
      memory.upload(std::span(group.predictors(i), size), device.predictors[at], 0);
      add(pictures[p].qp,
          {luma_plane(*pictures[p].source, device.source.data()),
           luma_plane(*pictures[p].source, device.references[at].data()),
           device.predictors[at].data(), stride},
          {device.vectors[at].data(), device.costs[at].data()});
    }
  }
  if (searches_.empty()) return;
  enqueue_searches();
  for (std::size_t p = 0; p < pictures.size(); ++p) {
    GroupEncoder& group = *pictures[p].group;
    for (int i = 0; i < group.references(); ++i) {
      const DevicePicture& device = memory_[p];
      const auto at = static_cast<std::size_t>(i);
      const motion::MotionField field = group.field(i);
      memory.download(device.vectors[at], 0, std::span(field.vectors, device.vectors[at].size()));
      memory.download(device.costs[at], 0, std::span(field.costs, device.costs[at].size()));
    }
  }
  queue_->wait();
}

}  // namespace millrace::h264
