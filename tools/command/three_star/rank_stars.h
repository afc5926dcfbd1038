// SPDX-License-Identifier: Apache-2.0

// The search for 3-stars on several ranks, each of which has all points.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_RANK_STARS_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_RANK_STARS_H_

#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/group/strip_plan.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/ranks/distributed_queue.h>
#include <millrace/tools/command/three_star/star_source.h>
#include <millrace/tools/files/interrupt_guard.h>

#include <span>

namespace millrace::tools {

// Constructed on all ranks. Rank 0 requests searches, which other ranks serve(): each searches a
// strip of about equal work and sends its 3-stars to rank 0 in chunks. An error of one rank is
// thrown by rank 0's call.
class RankStars : public StarSource {
 public:
  // All arguments but the communicator must outlive this object.
  RankStars(const DistributedQueue& ranks, std::span<const three_star::Point> points,
            const three_star::SearchOptions& options, const InterruptGuard& interrupt);

  // Called on rank 0.
  three_star::SearchReport count() override;
  three_star::SearchReport visit(const three_star::ChunkVisitor& visitor) override;

  // Called last on rank 0: other ranks stop serving.
  void end();

  // Called on other ranks: returns once rank 0 has called end().
  void serve();

 private:
  three_star::SearchReport search(const three_star::ChunkVisitor* visitor);
  three_star::SearchReport search_and_send();
  three_star::SearchReport search_and_receive(const three_star::ChunkVisitor& visitor);
  three_star::SearchReport sum(three_star::SearchReport mine);

  const DistributedQueue ranks_;
  const three_star::SearchOptions options_;
  const three_star::CellGrid grid_;
  const three_star::StripPlan plan_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_RANK_STARS_H_
