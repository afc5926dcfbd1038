// SPDX-License-Identifier: Apache-2.0

// The choice of a macroblock's mode from the costs of its partitions, on hosts and devices.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MODE_CHOICE_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MODE_CHOICE_H_

#include <millrace/algorithms/motion_estimation/motion_ops.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::motion {

// Chooses as decide_modes() specifies. `skip_distortion` is that of P_Skip's vector.
class ModeChoice {
 public:
  MILLRACE_FUNCTION constexpr ModeChoice(const ReferenceFields& references, std::size_t macroblock,
                                         int lambda)
      : references_(references), macroblock_(macroblock), lambda_(lambda) {}

  MILLRACE_FUNCTION constexpr MacroblockMode choose(std::uint32_t skip_distortion) const {
    MacroblockMode best = whole();
    take_smaller(best, halves(MacroblockShape::k16x8, PartitionSize::k16x8, 1, 2));
    take_smaller(best, halves(MacroblockShape::k8x16, PartitionSize::k8x16, 2, 1));
    take_smaller(best, quarters());
    MacroblockMode skip;
    skip.shape = MacroblockShape::kSkip;
    skip.cost = 32 * skip_distortion;
    if (skip.cost <= best.cost) best = skip;
    return best;
  }

 private:
  struct ReferenceChoice {
    std::uint32_t cost;
    int reference;
  };

  MILLRACE_FUNCTION static constexpr void take_smaller(MacroblockMode& best,
                                                       const MacroblockMode& other) {
    if (other.cost < best.cost) best = other;
  }

  // Returns the reference in which the first `count` of these partitions have the smallest total
  // cost.
  MILLRACE_FUNCTION constexpr ReferenceChoice best_reference(const int (&partitions)[4],
                                                             int count) const {
    ReferenceChoice best{0, 0};
    for (int reference = 0; reference < references_.count; ++reference) {
      std::uint32_t cost =
          static_cast<std::uint32_t>(lambda_ * reference_bits(reference, references_.count));
      for (int i = 0; i < count; ++i) {
        cost += references_.fields[reference].costs[MotionField::index(macroblock_, partitions[i])];
      }
      if (reference == 0 || cost < best.cost) best = {cost, reference};
    }
    return best;
  }

  MILLRACE_FUNCTION constexpr MacroblockMode whole() const {
    const ReferenceChoice found = best_reference({0}, 1);
    MacroblockMode mode;
    mode.shape = MacroblockShape::k16x16;
    mode.cost = found.cost;
    for (int quarter = 0; quarter < 4; ++quarter) set_reference(mode, quarter, found);
    return mode;
  }

  // Returns a mode of two halves; a quarter belongs to half quarter / 2 or quarter % 2.
  MILLRACE_FUNCTION constexpr MacroblockMode halves(MacroblockShape shape, PartitionSize size,
                                                    int columns, int rows) const {
    const int first = first_partition(size);
    const ReferenceChoice found[2] = {best_reference({first}, 1), best_reference({first + 1}, 1)};
    MacroblockMode mode;
    mode.shape = shape;
    mode.cost = found[0].cost + found[1].cost;
    for (int quarter = 0; quarter < 4; ++quarter) {
      set_reference(mode, quarter, found[rows == 2 ? quarter / 2 : quarter % columns]);
    }
    return mode;
  }

  MILLRACE_FUNCTION constexpr MacroblockMode quarters() const {
    MacroblockMode mode;
    mode.shape = MacroblockShape::k8x8;
    for (int quarter = 0; quarter < 4; ++quarter) {
      const int x = quarter % 2;
      const int y = quarter / 2;
      const int p8x8 = first_partition(PartitionSize::k8x8) + quarter;
      const int p8x4 = first_partition(PartitionSize::k8x4) + 4 * y + x;
      const int p4x8 = first_partition(PartitionSize::k4x8) + 4 * y + 2 * x;
      const int p4x4 = first_partition(PartitionSize::k4x4) + 8 * y + 2 * x;
      const ReferenceChoice found[4] = {best_reference({p8x8}, 1),
                                        best_reference({p8x4, p8x4 + 2}, 2),
                                        best_reference({p4x8, p4x8 + 1}, 2),
                                        best_reference({p4x4, p4x4 + 1, p4x4 + 4, p4x4 + 5}, 4)};
      int best = 0;
      for (int shape = 1; shape < 4; ++shape) {
        if (found[shape].cost < found[best].cost) best = shape;
      }
      mode.cost += found[best].cost;
      mode.quarters[quarter] = static_cast<QuarterShape>(best);
      set_reference(mode, quarter, found[best]);
    }
    return mode;
  }

  MILLRACE_FUNCTION static constexpr void set_reference(MacroblockMode& mode, int quarter,
                                                        const ReferenceChoice& choice) {
    mode.references[quarter] = static_cast<std::uint8_t>(choice.reference);
  }

  const ReferenceFields& references_;
  const std::size_t macroblock_;
  const int lambda_;
};

// Returns P_Skip's vector in quarter samples.
MILLRACE_FUNCTION constexpr MotionVector skip_vector(const MotionVector& predictor,
                                                     Precision precision) {
  const MotionVector limited = limited_predictor(predictor);
  if (precision != Precision::kInteger) return limited;
  return {static_cast<std::int16_t>(4 * window_centre(limited.x)),
          static_cast<std::int16_t>(4 * window_centre(limited.y))};
}

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MODE_CHOICE_H_
