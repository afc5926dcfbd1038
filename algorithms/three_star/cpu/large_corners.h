// SPDX-License-Identifier: Apache-2.0

// Lowest corners with so many neighbours that a device's tasks have no room for their records.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CPU_LARGE_CORNERS_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CPU_LARGE_CORNERS_H_

#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/three_star.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include <millrace/runtime/host/host_threads.h>

namespace millrace::three_star {

// Searches them by the team of host threads: a record is written by a task that has all neighbours
// at hand, and only the host's memory holds as many as there may be.
class LargeCorners {
 public:
  // All three outlive this object. `visitor` is called by several threads; two of the team are left
  // to others, who may wait for copies that it makes.
  LargeCorners(const CellGrid& grid, const SearchOptions& options, const ChunkVisitor& visitor)
      : grid_(grid),
        options_(options),
        visitor_(visitor),
        jobs_(HostThreads::shared(), std::max(1, HostThreads::shared().count() - 2)) {}
  // Waits for those that are being searched, and leaves the others.
  ~LargeCorners() { has_failed_ = true; }
  LargeCorners(const LargeCorners&) = delete;
  LargeCorners& operator=(const LargeCorners&) = delete;

  // Returns at once; to be called once. `corners` are places in the grid.
  void start(std::vector<std::uint32_t> corners);

  // Returns how many 3-stars they have, once all are handed on; throws what the visitor has thrown,
  // and Error(kCancelled) where the options' token has stopped it.
  std::uint64_t wait();

 private:
  // Corners of a job.
  static constexpr std::size_t kPiece = 16;

  void search(std::size_t first);

  const CellGrid& grid_;
  const SearchOptions& options_;
  const ChunkVisitor& visitor_;
  std::vector<std::uint32_t> corners_;
  std::atomic<std::uint64_t> three_stars_ = 0;
  std::atomic<bool> has_failed_ = false;  // The others need not go on.
  HostJobs jobs_;                         // The last member: its end waits for the jobs.
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CPU_LARGE_CORNERS_H_
