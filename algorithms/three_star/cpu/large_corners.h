// SPDX-License-Identifier: Apache-2.0

// Searches lowest corners with so many neighbours that a device's tasks have no memory for their
// records.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CPU_LARGE_CORNERS_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CPU_LARGE_CORNERS_H_

#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/host/host_threads.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

namespace millrace::three_star {

// Searches them by the team of host threads: a task that writes a record has all neighbours in
// memory, and only the host's memory holds as many as there may be.
class LargeCorners {
 public:
  // All arguments outlive this object. `visitor` is called by several threads; two threads of the
  // team are left to others, which may wait for copies that it makes.
  LargeCorners(const CellGrid& grid, const SearchOptions& options, const ChunkVisitor& visitor)
      : grid_(grid),
        options_(options),
        visitor_(visitor),
        jobs_(HostThreads::shared(), std::max(1, HostThreads::shared().count() - 2)) {}
  // Waits for corners that are being searched, and drops the others.
  ~LargeCorners() { has_failed_ = true; }
  LargeCorners(const LargeCorners&) = delete;
  LargeCorners& operator=(const LargeCorners&) = delete;

  // Returns at once. Called once. `corners` are indices in the grid.
  void start(std::vector<std::uint32_t> corners);

  // Returns the number of their 3-stars, once all are visited. Throws what the visitor throws, and
  // Error(kCancelled) if the options' token has stopped the search.
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
  std::atomic<bool> has_failed_ = false;  // True: the other jobs stop.
  HostJobs jobs_;                         // The last member: its end waits for the jobs.
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CPU_LARGE_CORNERS_H_
