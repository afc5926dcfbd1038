// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/ranks/whole_motion.h>
#include <millrace/runtime/core/error.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace millrace::motion {
namespace {

template <class T>
void append(std::span<const T> elements, std::vector<std::byte>& bytes) {
  const auto raw = std::as_bytes(elements);
  bytes.insert(bytes.end(), raw.begin(), raw.end());
}

// Moves `count` elements from the front of `bytes` to `target`, unless that is empty.
template <class T>
void take(std::span<const std::byte>& bytes, std::vector<T>& target, std::size_t first,
          std::size_t count) {
  if (target.empty() || count == 0) return;
  if (bytes.size() < count * sizeof(T)) {
    throw Error(ErrorCode::kInternal, "a rank sent " + std::to_string(bytes.size()) +
                                          " bytes of a picture's rows, and " +
                                          std::to_string(count * sizeof(T)) + " are expected");
  }
  std::memcpy(target.data() + first, bytes.data(), count * sizeof(T));
  bytes = bytes.subspan(count * sizeof(T));
}

}  // namespace

std::vector<std::byte> packed(const PictureMotion& motion) {
  std::vector<std::byte> bytes;
  for (int i = 0; i < motion.references; ++i) append(motion.vectors[i], bytes);
  for (int i = 0; i < motion.references; ++i) append(motion.costs[i], bytes);
  append(motion.modes, bytes);
  return bytes;
}

void WholeMotion::begin(const PictureMotion& band, std::size_t macroblocks) {
  motion_ = {.index = band.index, .references = band.references};
  for (int i = 0; i < band.references; ++i) {
    vectors_[i].resize(band.vectors[i].empty() ? 0 : macroblocks * kPartitions);
    costs_[i].resize(band.costs[i].empty() ? 0 : macroblocks * kPartitions);
    motion_.vectors[i] = vectors_[i];
    motion_.costs[i] = costs_[i];
  }
  modes_.resize(band.modes.empty() ? 0 : macroblocks);
  motion_.modes = modes_;
}

void WholeMotion::put(const PictureMotion& band, std::size_t first) {
  const auto offset = static_cast<std::ptrdiff_t>(first);
  for (int i = 0; i < band.references; ++i) {
    std::ranges::copy(band.vectors[i], vectors_[i].begin() + offset * kPartitions);
    std::ranges::copy(band.costs[i], costs_[i].begin() + offset * kPartitions);
  }
  std::ranges::copy(band.modes, modes_.begin() + offset);
}

void WholeMotion::put(std::span<const std::byte> band, std::size_t first, std::size_t count) {
  for (int i = 0; i < motion_.references; ++i) {
    take(band, vectors_[i], first * kPartitions, count * kPartitions);
  }
  for (int i = 0; i < motion_.references; ++i) {
    take(band, costs_[i], first * kPartitions, count * kPartitions);
  }
  take(band, modes_, first, count);
}

}  // namespace millrace::motion
