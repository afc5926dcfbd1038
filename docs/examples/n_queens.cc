// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/n_queens.h>
#include <millrace/docs/examples/n_queens_tasks.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>

#include <algorithm>
#include <string>

namespace millrace::examples {
namespace {

void check(const NQueensOptions& options) {
  if (options.queens < 1 || options.queens > kMaxQueens) {
    throw Error(ErrorCode::kInvalidArgument, "queens is " + std::to_string(options.queens) +
                                                 "; it is 1 to " + std::to_string(kMaxQueens));
  }
  if (options.cut_off < 0) {
    throw Error(ErrorCode::kInvalidArgument,
                "cut_off is " + std::to_string(options.cut_off) + "; it is 0 or more");
  }
}

}  // namespace

NQueensResult count_n_queens(Queue& queue, const NQueensOptions& options) {
  check(options);
  Buffer<std::uint64_t> solutions(queue.device().shared_from_this(), MemorySpace::kDevice, 1);
  fill_bytes(queue, solutions.span(), std::byte{0});

  const Board board{solutions.data(), options.queens,
                    std::min(options.cut_off, options.queens - 1)};
  TaskList<NQueensTasks> roots;
  if (board.cut_off > 0) {
    roots.push(PlaceQueen{board, {}, 0});
  } else {
    roots.push(CountPlacements{board, {}, 0});
  }

  NQueensResult result;
  result.report = run_tasks(queue, roots, options.run);
  copy(queue, BufferSpan<std::uint64_t>(std::span(&result.solutions, 1)), solutions.span());
  queue.wait();
  return result;
}

std::uint64_t known_n_queens(int queens) {
  constexpr std::uint64_t kKnown[kMaxQueens + 1] = {
      1,   1,     0,      0,      2,       10,        4,          40,         92,         352,
      724, 2'680, 14'200, 73'712, 365'596, 2'279'184, 14'772'512, 95'815'104, 666'090'624};
  return kKnown[queens];
}

}  // namespace millrace::examples
