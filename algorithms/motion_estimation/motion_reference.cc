// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/mode_choice.h>
#include <millrace/algorithms/motion_estimation/motion_reference.h>
#include <millrace/algorithms/motion_estimation/quarter_sample.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace millrace::motion {
namespace {

// A view of the reference's samples; outside the picture it returns the nearest sample inside.
template <class Sample>
struct ClampedPlane {
  const LumaPlane<Sample>& plane;

  int operator()(int x, int y) const {
    return plane.data[std::clamp(y, 0, plane.height - 1) * plane.stride +
                      std::clamp(x, 0, plane.width - 1)];
  }
};

// A partition of a macroblock of a frame.
template <class Sample>
class Block {
 public:
  Block(const SearchFrame<Sample>& frame, std::size_t macroblock, const Partition& partition)
      : reference_{frame.reference},
        partition_(partition),
        x_(static_cast<int>(macroblock) % frame.current.macroblocks_per_row() * kMacroblockWidth +
           partition.x),
        y_(static_cast<int>(macroblock) / frame.current.macroblocks_per_row() * kMacroblockWidth +
           partition.y),
        samples_(frame.current.data + y_ * frame.current.stride + x_),
        stride_(frame.current.stride) {}

  // Returns the SAD at a displacement in whole samples.
  std::uint32_t sad(int dx, int dy) const {
    std::uint32_t sum = 0;
    for (int y = 0; y < partition_.height; ++y) {
      for (int x = 0; x < partition_.width; ++x) {
        sum += static_cast<std::uint32_t>(
            std::abs(sample(x, y) - reference_(x_ + dx + x, y_ + dy + y)));
      }
    }
    return sum;
  }

  // Returns the SATD at a displacement in quarter samples.
  std::uint32_t satd(int dx, int dy) const {
    std::uint32_t sum = 0;
    for (int y = 0; y < partition_.height; y += 4) {
      for (int x = 0; x < partition_.width; x += 4) sum += satd_of(x, y, dx, dy);
    }
    return sum;
  }

 private:
  int sample(int x, int y) const { return samples_[y * stride_ + x]; }

  std::uint32_t satd_of(int x, int y, int dx, int dy) const {
    int differences[16];
    for (int i = 0; i < 16; ++i) {
      const int bx = x + i % 4;
      const int by = y + i / 4;
      differences[i] = sample(bx, by) -
                       quarter_sample<Sample>(reference_, 4 * (x_ + bx) + dx, 4 * (y_ + by) + dy);
    }
    return satd_4x4(differences);
  }

  const ClampedPlane<Sample> reference_;
  const Partition partition_;
  const int x_;
  const int y_;
  const Sample* const samples_;
  const std::ptrdiff_t stride_;
};

struct Best {
  MotionVector vector;
  std::uint32_t cost = std::numeric_limits<std::uint32_t>::max();

  // Keeps the candidate at (x, y), in quarter samples, if it is the best. Called in raster order.
  void take(int x, int y, std::uint32_t other) {
    if (other >= cost) return;
    vector = {static_cast<std::int16_t>(x), static_cast<std::int16_t>(y)};
    cost = other;
  }
};

template <class Sample>
Best search_integer(const Block<Sample>& block, const MotionVector& predictor,
                    const SearchOptions& options) {
  const int centre_x = window_centre(predictor.x);
  const int centre_y = window_centre(predictor.y);
  Best best;
  for (int y = centre_y - options.range; y < centre_y + options.range; ++y) {
    for (int x = centre_x - options.range; x < centre_x + options.range; ++x) {
      best.take(
          4 * x, 4 * y,
          motion_cost(block.sad(x, y), options.lambda, 4 * x - predictor.x, 4 * y - predictor.y));
    }
  }
  return best;
}

// Returns the best of nine candidates at a distance of `step` quarter samples.
template <class Sample>
Best refine(const Block<Sample>& block, const MotionVector& predictor, const MotionVector& centre,
            int step, int lambda) {
  Best best;
  for (int y = centre.y - step; y <= centre.y + step; y += step) {
    for (int x = centre.x - step; x <= centre.x + step; x += step) {
      best.take(x, y, motion_cost(block.satd(x, y), lambda, x - predictor.x, y - predictor.y));
    }
  }
  return best;
}

}  // namespace

template <class Sample>
void search_macroblock_reference(const SearchFrame<Sample>& frame, std::size_t macroblock,
                                 const MotionField& field, const SearchOptions& options) {
  const MotionVector predictor = predictor_of(frame, macroblock);
  for (int partition = 0; partition < kPartitions; ++partition) {
    const Block<Sample> block(frame, macroblock, partition_at(partition));
    Best best = search_integer(block, predictor, options);
    if (options.precision != Precision::kInteger) {
      best = refine(block, predictor, best.vector, 2, options.lambda);
    }
    if (options.precision == Precision::kQuarter) {
      best = refine(block, predictor, best.vector, 1, options.lambda);
    }
    field.vectors[partition] = best.vector;
    field.costs[partition] = best.cost;
  }
}

template <class Sample>
void search_motion_reference(const SearchFrame<Sample>& frame, const MotionField& field,
                             const SearchOptions& options) {
  for (std::size_t macroblock = 0; macroblock < frame.current.macroblock_count(); ++macroblock) {
    const std::size_t first = MotionField::index(macroblock, 0);
    search_macroblock_reference(frame, macroblock, {field.vectors + first, field.costs + first},
                                options);
  }
}

template <class Sample>
std::uint32_t partition_distortion(const SearchFrame<Sample>& frame, std::size_t macroblock,
                                   const Partition& partition, const MotionVector& vector,
                                   Precision precision) {
  const Block<Sample> block(frame, macroblock, partition);
  if (precision == Precision::kInteger) return block.sad(vector.x / 4, vector.y / 4);
  return block.satd(vector.x, vector.y);
}

template <class Sample>
void decide_modes_reference(const SearchFrame<Sample>& frame, std::span<const MotionField> fields,
                            MacroblockMode* modes, const SearchOptions& options) {
  ReferenceFields references;
  std::ranges::copy(fields, references.fields);
  references.count = static_cast<int>(fields.size());
  for (std::size_t macroblock = 0; macroblock < frame.current.macroblock_count(); ++macroblock) {
    const MotionVector vector = skip_vector(predictor_of(frame, macroblock), options.precision);
    const std::uint32_t distortion =
        partition_distortion(frame, macroblock, partition_at(0), vector, options.precision);
    modes[macroblock] = ModeChoice(references, macroblock, options.lambda).choose(distortion);
  }
}

template void search_macroblock_reference(const SearchFrame<std::uint8_t>&, std::size_t,
                                          const MotionField&, const SearchOptions&);
template void search_macroblock_reference(const SearchFrame<std::uint16_t>&, std::size_t,
                                          const MotionField&, const SearchOptions&);
template void search_motion_reference(const SearchFrame<std::uint8_t>&, const MotionField&,
                                      const SearchOptions&);
template void search_motion_reference(const SearchFrame<std::uint16_t>&, const MotionField&,
                                      const SearchOptions&);
template void decide_modes_reference(const SearchFrame<std::uint8_t>&, std::span<const MotionField>,
                                     MacroblockMode*, const SearchOptions&);
template void decide_modes_reference(const SearchFrame<std::uint16_t>&,
                                     std::span<const MotionField>, MacroblockMode*,
                                     const SearchOptions&);
template std::uint32_t partition_distortion(const SearchFrame<std::uint8_t>&, std::size_t,
                                            const Partition&, const MotionVector&, Precision);
template std::uint32_t partition_distortion(const SearchFrame<std::uint16_t>&, std::size_t,
                                            const Partition&, const MotionVector&, Precision);

}  // namespace millrace::motion
