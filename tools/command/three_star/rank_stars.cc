// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/group/strip_search.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/seconds_since.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/result_stream.h>
#include <millrace/tools/command/common/interrupt_stop.h>
#include <millrace/tools/command/three_star/rank_stars.h>

#include <chrono>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <span>
#include <stop_token>
#include <vector>

namespace millrace::tools {
namespace {

using three_star::ChunkVisitor;
using three_star::SearchReport;
using three_star::StarChunk;

// Requests of rank 0.
enum class Request : std::uint8_t { kCount, kVisit, kEnd };

void broadcast_request(Communicator& communicator, Request& request) {
  communicator.broadcast(&request, sizeof request, 0);
}

}  // namespace

RankStars::RankStars(const DistributedQueue& ranks, std::span<const three_star::Point> points,
                     const three_star::SearchOptions& options, const InterruptGuard& interrupt)
    : StarSource(interrupt),
      ranks_(ranks),
      options_(options),
      grid_(ranks.queue, points, options.radius),
      plan_(grid_) {}

void RankStars::end() {
  Request request = Request::kEnd;
  broadcast_request(ranks_.communicator, request);
}

SearchReport RankStars::count() {
  Request request = Request::kCount;
  broadcast_request(ranks_.communicator, request);
  SearchReport report;
  const auto start = std::chrono::steady_clock::now();
  together(ranks_.communicator, [&] { report = search(nullptr); });
  report = sum(report);
  report.seconds = seconds_since(start);
  return report;
}

SearchReport RankStars::visit(const ChunkVisitor& visitor) {
  Request request = Request::kVisit;
  broadcast_request(ranks_.communicator, request);
  SearchReport report;
  const auto start = std::chrono::steady_clock::now();
  together(ranks_.communicator, [&] { report = search_and_receive(visitor); });
  report = sum(report);
  report.seconds = seconds_since(start);
  return report;
}

void RankStars::serve() {
  Communicator& communicator = ranks_.communicator;
  while (true) {
    Request request = Request::kEnd;
    broadcast_request(communicator, request);
    if (request == Request::kEnd) return;
    try {
      SearchReport report;
      together(communicator,
               [&] { report = request == Request::kCount ? search(nullptr) : search_and_send(); });
      sum(report);
    } catch (const Error&) {
      // Rank 0 gets the same error and reports it.
    }
  }
}

// Searches this rank's strip.
SearchReport RankStars::search(const ChunkVisitor* visitor) {
  const InterruptStop stop(interrupt_);
  three_star::SearchOptions options = options_;
  options.stop = stop.token();
  const std::vector<double> weights(static_cast<std::size_t>(ranks_.communicator.size()), 1.0);
  const auto strips = plan_.strips(weights);
  const three_star::Strip& strip = strips[static_cast<std::size_t>(ranks_.communicator.rank())];
  const SearchReport report = search_strip(ranks_.queue, grid_, strip, options, visitor);
  check();
  return report;
}

SearchReport RankStars::search_and_send() {
  ResultWriter results(ranks_.communicator);
  std::mutex mutex;  // A communicator is used by one thread at a time.
  const ChunkVisitor send = [&](const StarChunk& chunk) {
    check();
    const std::lock_guard lock(mutex);
    if (results.write(chunk.bytes())) return;
    throw Error(ErrorCode::kCancelled, "rank 0 has stopped the search");
  };
  const SearchReport report = search(&send);
  results.close();
  return report;
}

SearchReport RankStars::search_and_receive(const ChunkVisitor& visitor) {
  SearchReport report;
  const auto search_own = [&](const std::stop_token& stop) {
    const ChunkVisitor take = [&](const StarChunk& chunk) {
      check();
      if (stop.stop_requested()) throw Error(ErrorCode::kCancelled, "no more 3-stars are wanted");
      visitor(chunk);
    };
    report = search(&take);
  };
  receive_beside(ranks_.communicator, search_own, [&](std::span<const std::byte> bytes) {
    check();
    visitor(StarChunk(grid_, bytes));
  });
  return report;
}

SearchReport RankStars::sum(SearchReport mine) {
  std::uint64_t sums[] = {mine.three_stars, mine.pairs,      mine.tasks,
                          mine.bytes_up,    mine.bytes_down, mine.host_corners};
  ranks_.communicator.all_sum(sums, std::size(sums));
  mine.three_stars = sums[0];
  mine.pairs = sums[1];
  mine.tasks = sums[2];
  mine.bytes_up = sums[3];
  mine.bytes_down = sums[4];
  mine.host_corners = sums[5];
  return mine;
}

}  // namespace millrace::tools
