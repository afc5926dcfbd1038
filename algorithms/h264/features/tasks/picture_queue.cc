// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/entropy/slice_input_maker.h>
#include <millrace/algorithms/h264/features/measured_picture_maker.h>
#include <millrace/algorithms/h264/features/tasks/memory/kept_memory.h>
#include <millrace/algorithms/h264/features/tasks/picture_queue.h>
#include <millrace/algorithms/h264/macroblock.h>

#include <algorithm>
#include <numeric>

namespace millrace::h264 {
namespace {

template <class T>
void append(std::span<const T> from, std::vector<T>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

PictureQueue::PictureQueue(PictureScheduler& scheduler, FeatureSink& sink)
    : scheduler_(scheduler),
      collected_(std::make_unique<PendingPicture>()),
      reporter_(sink, scheduler.gives_samples()),
      sink_(sink),
      parser_(*this, {.wants_coefficients = false, .wants_macroblocks = false, .collector = this}) {
  scheduler_.add(*this);
}

PictureQueue::~PictureQueue() { scheduler_.remove(*this); }

void PictureQueue::push_nal_unit(std::span<const std::uint8_t> unit, std::int64_t byte,
                                 int framing_bytes) {
  prefetch_object(*this);
  prefetch_object(*collected_);
  if (!spare_.empty()) prefetch_object(*spare_.back());
  if (!spare_devices_.empty()) prefetch_object(*spare_devices_.back());
  if (!kept_.empty()) prefetch_object(kept_.front());
  parser_.push_nal_unit(unit, byte, framing_bytes);
}

void PictureQueue::finish() {
  if (std::exchange(has_finished_, true)) return;
  parser_.finish();
  note_unreported();
}

std::size_t PictureQueue::pending_slices() const {
  return std::accumulate(ended_.begin(), ended_.end(), std::size_t{0},
                         [](std::size_t sum, const std::unique_ptr<PendingPicture>& picture) {
                           return sum + picture->slices.size();
                         });
}

std::size_t PictureQueue::pending_bytes() const {
  return std::accumulate(ended_.begin(), ended_.end(), std::size_t{0},
                         [](std::size_t sum, const std::unique_ptr<PendingPicture>& picture) {
                           return sum + picture->payloads.size();
                         });
}

void PictureQueue::add_to(std::span<PendingPicture*> pictures) {
  for (std::size_t k = 0; k < pictures.size(); ++k) {
    PendingPicture& picture = *ended_[k];
    picture.are_samples_kept = samples_.has(picture.samples);
    pictures[k] = &picture;
  }
}

void PictureQueue::report(const FeatureRun& run, std::size_t first, std::size_t count) {
  replay_events({.run = &run, .first = first, .pending = std::span(ended_).first(count)});
  for (std::size_t k = 0; k < count; ++k) {
    waiting_.bytes -= ended_[k]->summary.bytes;
    recycle(std::move(ended_[k]));
  }
  waiting_.count -= count;
  ended_.erase(ended_.begin(), ended_.begin() + static_cast<std::ptrdiff_t>(count));
  if (scalings_.has_many()) drop_scalings();
}

void PictureQueue::report_rest() {
  is_unreported_ = false;
  replay_events({});
}

void PictureQueue::move_out(Queue& queue, std::uint64_t oldest, std::uint64_t oldest_samples) {
  for (auto& [id, picture] : kept_) h264::move_out(queue, picture->macroblocks, oldest);
  samples_.move_out(queue, oldest_samples);
}

void PictureQueue::decode(const std::shared_ptr<const ParsedPicture>& picture) {
  if (scheduler_.wants_samples()) samples_.add(*picture, *collected_);
  if (picture->is_inferred) return events_.add_inferred(*picture);
  collected_->bytes = picture->bytes;
  collected_->has_recovery_point = picture->has_recovery_point;
  FeatureRun::summarise(*collected_);
  ++waiting_.count;
  waiting_.bytes += collected_->summary.bytes;
  ended_.push_back(std::move(collected_));
  if (spare_.empty()) {
    collected_ = std::make_unique<PendingPicture>();
  } else {
    collected_ = std::move(spare_.back());
    spare_.pop_back();
  }
  events_.add_picture();
}

void PictureQueue::output(std::int64_t picture) {
  if (scheduler_.gives_samples()) events_.add_output(picture);
}

void PictureQueue::release(std::int64_t picture) {
  const auto kept = std::find_if(kept_.begin(), kept_.end(),
                                 [picture](const auto& entry) { return entry.first == picture; });
  if (kept != kept_.end()) {
    recycle(std::move(kept->second));
    kept_.erase(kept);
  }
  if (scheduler_.wants_samples()) samples_.release(picture);
  events_.add_release(picture);
}

void PictureQueue::fault(const StreamFault& fault) {
  events_.add_fault(fault, collected_->slices.size());
  note_unreported();
}

void PictureQueue::note_unreported() {
  if (!std::exchange(is_unreported_, true)) scheduler_.add_unreported(*this);
}

void PictureQueue::collect(ParsedPicture& picture, int index, const SliceBits& bits) {
  if (index == 0) begin_collected(picture);
  const Slice& slice = picture.slices[static_cast<std::size_t>(index)];
  thread_local SliceInputMaker maker;
  const SliceInputMaker::Input input = maker.make(picture, index, bits.payload, bits.first_bit);
  PendingPicture& collected = *collected_;
  PendingSlice& pending = collected.slices.emplace_back();
  pending.slice = input.slice;
  pending.slice.payload_bytes = bits.payload.size();
  pending.slice.first_bit = bits.first_bit;
  pending.slice.parameters.type = slice.header.type;
  pending.damage = input.damage;
  pending.scaling = scalings_.share(scheduler_.scalings(),
                                    picture.picture_parameters[static_cast<std::size_t>(index)]);
  pending.nal_unit = bits.nal_unit;
  pending.byte = bits.byte;
  pending.header_bits = slice.header_bits;
  pending.emulation_prevention = collected.emulation_prevention.size();
  append(bits.emulation_prevention, collected.emulation_prevention);
  for (int list = 0; list < 2; ++list) {
    pending.reference_counts[list] = static_cast<std::int32_t>(slice.references[list].size());
  }
  pending.references = collected.references.size();
  append_references(picture, slice, step_, collected.references);
  if (input.damage != nullptr) return;
  pending.payload = collected.payloads.size();
  append(bits.payload, collected.payloads);
  pending.colocated_references = collected.colocated_references.size();
  append(std::span(input.slice.parameters.colocated_references,
                   static_cast<std::size_t>(input.slice.parameters.colocated_slices)),
         collected.colocated_references);
  if (input.colocated != nullptr) pending.colocated = find_kept(input.colocated->id);
}

void PictureQueue::begin_collected(const ParsedPicture& picture) {
  step_ = order_step_.follow(picture);
  PendingPicture& collected = *collected_;
  collected.id = picture.id;
  collected.sequence = picture.sequence;
  collected.picture_order = picture.picture_order;
  collected.frame_number = picture.frame_number;
  collected.is_idr = picture.is_idr;
  if (spare_devices_.empty()) {
    collected.device = std::make_shared<DevicePicture>();
  } else {
    collected.device = std::move(spare_devices_.back());
    spare_devices_.pop_back();
  }
  collected.width = picture.sequence->width_in_macroblocks;
  collected.height = picture.sequence->height_in_macroblocks;
  collected.is_kept = picture.is_reference;
  if (collected.is_kept) kept_.emplace_back(picture.id, collected.device);
}

void PictureQueue::recycle(std::unique_ptr<PendingPicture> picture) {
  std::shared_ptr<DevicePicture> device = std::move(picture->device);
  picture->clear();
  recycle(std::move(device));
  if (spare_.size() < kMostSpare) spare_.push_back(std::move(picture));
}

void PictureQueue::recycle(std::shared_ptr<DevicePicture> device) {
  if (device.use_count() > 1 || spare_devices_.size() >= kMostSpareDevices) return;
  device->macroblocks = {};
  spare_devices_.push_back(std::move(device));
}

void PictureQueue::drop_scalings() {
  scalings_.drop_unused([this](const ScalingLists* lists) {
    const auto has_it = [lists](const std::unique_ptr<PendingPicture>& picture) {
      return std::any_of(picture->slices.begin(), picture->slices.end(),
                         [lists](const PendingSlice& slice) { return slice.scaling == lists; });
    };
    return has_it(collected_) || std::any_of(ended_.begin(), ended_.end(), has_it);
  });
}

std::shared_ptr<const DevicePicture> PictureQueue::find_kept(std::int64_t picture) const {
  const auto found = std::find_if(kept_.begin(), kept_.end(),
                                  [picture](const auto& entry) { return entry.first == picture; });
  return found == kept_.end() ? nullptr : found->second;
}

void PictureQueue::replay_events(const EventReplay::Pictures& pictures) {
  events_.replay(EventReplay(pictures, reporter_, sink_,
                             [this](const DevicePicture& from, std::span<Macroblock> to) {
                               scheduler_.download(from, to);
                             }));
}

}  // namespace millrace::h264
