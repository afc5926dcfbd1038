// SPDX-License-Identifier: Apache-2.0

// A picture whose headers are parsed and whose slices wait for a device.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_PENDING_PICTURE_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_PENDING_PICTURE_H_

#include <millrace/algorithms/h264/entropy/coded_slice.h>
#include <millrace/algorithms/h264/entropy/slice_parameters.h>
#include <millrace/algorithms/h264/features/measured_picture.h>
#include <millrace/algorithms/h264/features/tasks/element_counts.h>
#include <millrace/algorithms/h264/features/tasks/memory/kept_memory.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/parameter_sets.h>
#include <millrace/algorithms/h264/reconstruction/views/picture_prediction.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace millrace::h264 {

// Macroblocks of a picture on the device.
struct DevicePicture {
  PictureElements<Macroblock> macroblocks;
  std::size_t index_in_run = 0;  // Index of the picture in its run.
};

// Samples of a picture on the device: the planes Y, Cb and Cr one behind the other.
struct DeviceSamples {
  PictureElements<std::uint8_t> samples;
  std::int32_t width = 0;  // Counted in macroblocks.
  std::int32_t height = 0;
  bool is_grey = false;  // All samples are 128; they have no memory.
  std::size_t index_in_run = 0;
};

struct PendingSlice {
  CodedSlice slice;              // Has numbers of elements, and no pointers.
  const char* damage = nullptr;  // Reason why it cannot be parsed, a literal; null: none.
  const ScalingLists* scaling =
      nullptr;  // Lists in a ScalingPool, which the stream keeps; null if damaged.
  std::shared_ptr<const DevicePicture>
      colocated;              // Picture that direct prediction reads; null: none.
  std::int64_t nal_unit = 0;  // See SliceBits.
  std::int64_t byte = 0;
  std::uint32_t header_bits = 0;  // See Slice.
  // First elements in the picture's arrays.
  std::size_t payload = 0;
  std::size_t emulation_prevention = 0;
  std::size_t colocated_references = 0;
  std::size_t references = 0;  // Index of list 0's first reference; list 1 follows.
  std::int32_t reference_counts[2] = {0, 0};
};

// Sums of a picture's slices. A run of many pictures reads them instead of the slices, which lie
// elsewhere in memory.
struct PictureSummary {
  ElementCounts counts;
  std::size_t bytes = 0;                  // Most device memory that the picture takes, in bytes.
  const ScalingLists* scaling = nullptr;  // The lists of all slices; null if they differ.
  bool has_colocated = false;             // A slice has one.
};

struct PendingPicture {
  PictureSummary summary;  // Set once all slices are there.
  // These are as in ParsedPicture.
  std::int64_t id = 0;
  std::shared_ptr<const SequenceParameters> sequence;
  int picture_order = 0;
  int frame_number = 0;
  std::uint32_t bytes = 0;
  bool is_idr = false;
  bool has_recovery_point = false;
  std::shared_ptr<DevicePicture> device;
  std::int32_t width = 0;  // Counted in macroblocks.
  std::int32_t height = 0;
  bool is_kept = false;  // A reference: B slices of later pictures may read its macroblocks.
  std::vector<PendingSlice> slices;
  // Each array has the elements of all slices.
  std::vector<std::uint8_t> payloads;             // Has no emulation prevention bytes.
  std::vector<std::size_t> emulation_prevention;  // Their positions, as in NalPayload.
  std::vector<ColocatedReferences> colocated_references;
  std::vector<MeasuredReference> references;
  // The members below are set if samples are wanted.
  std::shared_ptr<DeviceSamples> samples;  // Null if they are not.
  bool are_samples_kept = false;           // Later pictures may read them.
  PicturePrediction prediction;
  std::vector<std::shared_ptr<const DeviceSamples>> sources;  // Pictures that the prediction reads.

  std::size_t macroblocks() const {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  }

  // Returns what was removed from the payload of a slice, as in NalPayload.
  std::span<const std::size_t> emulation_prevention_of(std::size_t slice) const {
    const std::size_t first = slices[slice].emulation_prevention;
    const std::size_t end = slice + 1 < slices.size() ? slices[slice + 1].emulation_prevention
                                                      : emulation_prevention.size();
    return std::span(emulation_prevention).subspan(first, end - first);
  }

  // Makes it a picture without slices, and keeps the memory of its arrays.
  void clear() {
    summary = {};
    sequence.reset();
    device.reset();
    slices.clear();
    payloads.clear();
    emulation_prevention.clear();
    colocated_references.clear();
    references.clear();
    samples.reset();
    are_samples_kept = false;
    prediction = {};
    sources.clear();
  }
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_PENDING_PICTURE_H_
