// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/tasks/memory/kept_memory.h>
#include <millrace/algorithms/h264/features/tasks/stream_references.h>

#include <algorithm>

namespace millrace::h264 {

void StreamReferences::add(const ParsedPicture& picture, PendingPicture& pending) {
  std::shared_ptr<DeviceSamples> samples;
  if (picture.is_inferred) {
    samples = find(picture, picture.id - 1);
  } else {
    pending.prediction =
        prediction_of(picture, [&](std::int64_t id) { return find(picture, id) != nullptr; });
    pending.sources.clear();
    for (const std::int64_t id : pending.prediction.sources) {
      pending.sources.push_back(find(picture, id));
    }
  }
  if (samples == nullptr) {
    samples = std::make_shared<DeviceSamples>();
    samples->width = picture.sequence->width_in_macroblocks;
    samples->height = picture.sequence->height_in_macroblocks;
    samples->is_grey = picture.is_inferred;
  }
  if (!picture.is_inferred) pending.samples = samples;
  if (is_last_released_) {
    is_last_released_ = false;
    pictures_.erase(last_);
  }
  last_ = picture.id;
  pictures_[picture.id] = std::move(samples);
}

void StreamReferences::release(std::int64_t picture) {
  if (picture == last_) {
    is_last_released_ = true;
  } else {
    pictures_.erase(picture);
  }
}

bool StreamReferences::has(const std::shared_ptr<DeviceSamples>& samples) const {
  return samples != nullptr && std::ranges::any_of(pictures_, [&](const auto& picture) {
           return picture.second == samples;
         });
}

void StreamReferences::move_out(Queue& queue, std::uint64_t oldest) {
  for (auto& [id, samples] : pictures_) h264::move_out(queue, samples->samples, oldest);
}

std::shared_ptr<DeviceSamples> StreamReferences::find(const ParsedPicture& picture,
                                                      std::int64_t id) const {
  const auto found = pictures_.find(id);
  if (found == pictures_.end() || found->second->width != picture.sequence->width_in_macroblocks ||
      found->second->height != picture.sequence->height_in_macroblocks) {
    return nullptr;
  }
  return found->second;
}

}  // namespace millrace::h264
