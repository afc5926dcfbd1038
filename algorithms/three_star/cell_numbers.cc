// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/cell_numbers.h>
#include <millrace/runtime/host/host_threads.h>

#include <algorithm>
#include <cstring>
#include <mutex>

namespace millrace::three_star {
namespace {

// Points are read and copied while they are in the nearest cache.
constexpr std::size_t kBlock = 1024;

PointBox box_of_piece(std::span<const Point> points, Point* copies) {
  PointBox box;
  for (std::size_t first = 0; first < points.size(); first += kBlock) {
    const auto block = points.subspan(first, std::min(kBlock, points.size() - first));
    for (const Point& point : block) box.add({point, point});
    if (copies != nullptr) std::memcpy(copies + first, block.data(), block.size_bytes());
  }
  return box;
}

}  // namespace

PointBox box_of(std::span<const Point> points, Point* copies) {
  constexpr std::size_t kPiece = std::size_t{1}
                                 << 14;  // Points: far more work than to draw a piece.
  PointBox box;
  std::mutex mutex;
  HostThreads::shared().for_each((points.size() + kPiece - 1) / kPiece, [&](std::size_t piece) {
    const std::size_t first = piece * kPiece;
    const PointBox of_piece =
        box_of_piece(points.subspan(first, std::min(kPiece, points.size() - first)),
                     copies == nullptr ? nullptr : copies + first);
    const std::lock_guard lock(mutex);
    box.add(of_piece);
  });
  return box;
}

CellNumbers::CellNumbers(const PointBox& box, std::int32_t radius)
    : width_(std::uint64_t{2} * static_cast<std::uint32_t>(radius)) {
  const auto width = static_cast<std::int64_t>(width_);
  low_x_ = square_of(box.low.x, width) * width;
  low_y_ = square_of(box.low.y, width) * width;
  rows_ = row(box.high) + 1;
  columns_ = column(box.high) + 1;
}

}  // namespace millrace::three_star
