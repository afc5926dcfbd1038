// SPDX-License-Identifier: Apache-2.0

// Inputs, device and outputs of one rank of `millrace three-star`.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_THREE_STAR_RANK_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_THREE_STAR_RANK_H_

#include <millrace/algorithms/three_star/point_copies.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/ranks/communicator.h>
#include <millrace/tools/command/three_star/points/point_notes.h>
#include <millrace/tools/command/three_star/rank_stars.h>
#include <millrace/tools/command/three_star/star_inputs.h>
#include <millrace/tools/command/three_star/star_source.h>
#include <millrace/tools/command/three_star/three_star_options.h>
#include <millrace/tools/files/interrupt_guard.h>

#include <memory>
#include <optional>

namespace millrace::tools {

// The objects of a rank.
struct ThreeStarRank {
  PointNotes notes{};
  std::optional<DeviceGroup> group{};
  std::optional<InterruptGuard> interrupt{};
  std::unique_ptr<StarFile> stored{};
  std::optional<StarInputs> input{};
  std::unique_ptr<RankStars> shared{};
  std::unique_ptr<StarSource> alone{};
  std::optional<three_star::PointCopies> copies{};
  std::unique_ptr<OriginalStars> originals{};

  StarSource& source() const {
    if (originals) return *originals;
    if (stored) return *stored;
    return shared ? *shared : *alone;
  }
};

// Checks the options, opens the devices and reads all input files. Throws Error(kInvalidArgument)
// for options that do not go together, or not with the points; and what opening and reading throws.
void prepare(ThreeStarOptions& options, Communicator& world, ThreeStarRank& rank);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_THREE_STAR_RANK_H_
