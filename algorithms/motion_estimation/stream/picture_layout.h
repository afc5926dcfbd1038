// SPDX-License-Identifier: Apache-2.0

// Layout of the memory blocks in which a picture of a clip is uploaded and downloaded.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_PICTURE_LAYOUT_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_PICTURE_LAYOUT_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/algorithms/motion_estimation/picture_motion.h>
#include <millrace/runtime/core/device.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::motion {

// An array inside a block of memory.
template <class T>
struct BlockArray {
  std::size_t offset = 0;  // Bytes.
  std::size_t count = 0;

  std::span<T> in(std::byte* block) const { return {reinterpret_cast<T*>(block + offset), count}; }
  std::span<const T> in(const std::byte* block) const {
    return {reinterpret_cast<const T*>(block + offset), count};
  }
};

template <class Sample>
struct PictureLayout {
  // The options are valid.
  PictureLayout(int width, int height, const EstimatorOptions& options)
      : width(width),
        height(height),
        macroblocks(static_cast<std::size_t>(width / kMacroblockWidth) *
                    static_cast<std::size_t>(height / kMacroblockWidth)),
        first_searched(static_cast<std::size_t>(width / kMacroblockWidth) *
                       static_cast<std::size_t>(options.search.rows.first)),
        searched(
            static_cast<std::size_t>(width / kMacroblockWidth) *
            static_cast<std::size_t>(options.search.rows.of(height / kMacroblockWidth).count)) {
    const std::size_t samples = macroblocks * kMacroblockWidth * kMacroblockWidth;
    const std::size_t references = options.references;
    const bool has_predictors = options.predictor == PredictorRule::kGiven;
    current = append<Sample>(input_bytes, samples);
    reconstruction = append<Sample>(input_bytes, options.has_reconstruction ? samples : 0);
    predictors = append<MotionVector>(input_bytes, has_predictors ? macroblocks * references : 0);

    modes = append<MacroblockMode>(output_bytes, options.decides_modes ? searched : 0);
    for (std::size_t i = 0; i < references; ++i) {
      vectors[i] = append<MotionVector>(output_bytes, searched * kPartitions);
      costs[i] = append<std::uint32_t>(output_bytes, searched * kPartitions);
    }
  }

  // Returns the field of a reference in a block of output. The block has elements of the searched
  // rows only; the field's pointers are where the picture's first macroblock would be.
  MotionField field(int reference, std::byte* output) const {
    const std::size_t before = MotionField::index(first_searched, 0);
    return {vectors[reference].in(output).data() - before,
            costs[reference].in(output).data() - before};
  }
  MacroblockMode* modes_of(std::byte* output) const {
    return modes.in(output).data() - first_searched;
  }

  // Returns picture `index` in a block that is to be written.
  InputPicture<Sample> input(std::uint64_t index, std::byte* block) const {
    return {.index = index,
            .current = current.in(block),
            .reconstruction = reconstruction.in(block),
            .predictors = predictors.in(block)};
  }

  // Returns the results of picture `index` in a block of output; null: nothing is downloaded.
  PictureMotion results(std::uint64_t index, int references, const std::byte* output) const {
    PictureMotion motion{.index = index, .references = references};
    if (output == nullptr || references == 0) return motion;
    for (int i = 0; i < references; ++i) {
      motion.vectors[i] = vectors[i].in(output);
      motion.costs[i] = costs[i].in(output);
    }
    motion.modes = modes.in(output);
    return motion;
  }

  int width;   // Samples.
  int height;  // Samples.
  std::size_t macroblocks;
  std::size_t first_searched;  // Macroblocks.
  std::size_t searched;

  // Arrays of the upload.
  BlockArray<Sample> current;
  BlockArray<Sample> reconstruction;
  BlockArray<MotionVector> predictors;
  std::size_t input_bytes = 0;

  // Arrays of the download, for the macroblocks that are searched.
  BlockArray<MacroblockMode> modes;
  BlockArray<MotionVector> vectors[kMostReferences];
  BlockArray<std::uint32_t> costs[kMostReferences];
  std::size_t output_bytes = 0;

 private:
  template <class T>
  static BlockArray<T> append(std::size_t& bytes, std::size_t count) {
    constexpr std::size_t kAlignment = Device::kAlignment;
    const BlockArray<T> array{bytes, count};
    bytes += (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    return array;
  }
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_PICTURE_LAYOUT_H_
