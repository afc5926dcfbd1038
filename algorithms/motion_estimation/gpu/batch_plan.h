// SPDX-License-Identifier: Apache-2.0

// The batches of frames whose smaller partitions one launch refines.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_BATCH_PLAN_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_BATCH_PLAN_H_

#include <millrace/algorithms/motion_estimation/gpu/frame_batch.h>
#include <millrace/algorithms/motion_estimation/gpu/kernel_frame.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::MILLRACE_GPU {

// Frames in order, and as many fields.
template <class Sample>
struct Frames {
  std::vector<SearchFrame<Sample>> frames;
  std::vector<MotionField> fields;

  std::size_t count() const { return frames.size(); }
};

// A range of memory, up to before `end`.
struct Extent {
  template <class T>
  static Extent of(const T* begin, std::ptrdiff_t count) {
    return {reinterpret_cast<std::uintptr_t>(begin),
            reinterpret_cast<std::uintptr_t>(begin + count)};
  }
  bool overlaps(const Extent& other) const { return begin < other.end && other.begin < end; }

  std::uintptr_t begin;
  std::uintptr_t end;
};

// Groups frames whose smaller partitions are refined together. That happens after all of them have
// been searched, so whatever a frame of a batch reads or writes must still be its own then.
template <class Sample>
class BatchPlan {
 public:
  // `searched` are the macroblocks of each frame. The frames must outlive it.
  BatchPlan(const Frames<Sample>& all, const MacroblockSpan& searched)
      : all_(all), searched_(searched) {
    const KernelFrame<Sample> first(all.frames[0]);
    are_alike_ = std::ranges::all_of(all.frames, [&](const SearchFrame<Sample>& frame) {
      const KernelFrame<Sample> own(frame);
      return own.current.is_like(first.current) && own.reference.is_like(first.reference);
    });
    if (!are_alike_) return;
    for (std::size_t begin = 0; begin < all.count(); begin = ends_.back()) {
      ends_.push_back(end_from(begin));
    }
  }

  // Returns the index behind the last frame of each batch.
  const std::vector<std::size_t>& ends() const { return ends_; }

  // With short batches the device waits too often for the last frame of each.
  bool is_profitable() const {
    constexpr std::size_t kLeast = 8;
    return are_alike_ && (ends_.size() == 1 || ends_.size() * kLeast <= all_.count());
  }

 private:
  std::size_t end_from(std::size_t begin) const {
    const std::size_t most = std::min(all_.count(), begin + FrameBatch<Sample>::kMost);
    std::size_t end = begin + 1;
    while (end < most && fits(begin, end)) ++end;
    return end;
  }

  // Returns true if a frame may join the batch of those from `begin` on.
  bool fits(std::size_t begin, std::size_t frame) const {
    for (std::size_t other = begin; other < frame; ++other) {
      const bool waits_for_16x16 = all_.frames[frame].predictors == all_.fields[other].vectors &&
                                   all_.frames[frame].predictor_stride == kPartitions;
      if (vectors(other).overlaps(vectors(frame)) || costs(other).overlaps(costs(frame)) ||
          predictors(other).overlaps(vectors(frame)) ||
          (predictors(frame).overlaps(vectors(other)) && !waits_for_16x16)) {
        return false;
      }
    }
    return true;
  }

  Extent vectors(std::size_t i) const {
    return Extent::of(all_.fields[i].vectors + MotionField::index(searched_.first, 0),
                      MotionField::index(searched_.count, 0));
  }
  Extent costs(std::size_t i) const {
    return Extent::of(all_.fields[i].costs + MotionField::index(searched_.first, 0),
                      MotionField::index(searched_.count, 0));
  }
  Extent predictors(std::size_t i) const {
    const SearchFrame<Sample>& frame = all_.frames[i];
    return Extent::of(frame.predictors + frame.predictor_stride * searched_.first,
                      frame.predictor_stride * (searched_.count - 1) + 1);
  }

  const Frames<Sample>& all_;
  const MacroblockSpan searched_;
  bool are_alike_ = false;  // True if frames differ in their samples alone.
  std::vector<std::size_t> ends_;
};

// Returns the frames from `first` to before `end`, with a span of the macroblocks of each.
template <class Sample>
FrameBatch<Sample> batch_of(const Frames<Sample>& all, std::size_t first, std::size_t end,
                            const MacroblockSpan& span) {
  FrameBatch<Sample> batch;
  batch.common = KernelFrame<Sample>(all.frames[first]);
  batch.count = static_cast<int>(end - first);
  batch.span = span;
  for (int i = 0; i < batch.count; ++i) {
    const SearchFrame<Sample>& frame = all.frames[first + i];
    batch.entries[i] = {.current = frame.current.data,
                        .reference = frame.reference.data,
                        .predictors = frame.predictors,
                        .predictor_stride = frame.predictor_stride,
                        .field = all.fields[first + i]};
  }
  return batch;
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_BATCH_PLAN_H_
