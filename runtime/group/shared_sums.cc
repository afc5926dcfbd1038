// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/group/shared_sums.h>

#include <span>
#include <utility>

namespace millrace {

std::uint64_t* SharedSums::on(Queue& queue) {
  Buffer<std::uint64_t> sums(queue.device().shared_from_this(), MemorySpace::kDevice,
                             totals_.size());
  fill_bytes(queue, sums.span(), std::byte{0});
  queue.wait();
  const std::lock_guard lock(mutex_);
  Buffer<std::uint64_t>& kept = sums_[&queue];
  kept = std::move(sums);
  return kept.data();
}

void SharedSums::take(Queue& queue) {
  std::vector<std::uint64_t> sums(totals_.size());
  {
    const std::lock_guard lock(mutex_);
    copy(queue, BufferSpan<std::uint64_t>(std::span(sums)), sums_.at(&queue).span());
  }
  queue.wait();
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < sums.size(); ++i) totals_[i] += sums[i];
}

}  // namespace millrace
