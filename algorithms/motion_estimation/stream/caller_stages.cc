// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/quarter_sample.h>
#include <millrace/algorithms/motion_estimation/stream/caller_stages.h>
#include <millrace/runtime/core/check.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace millrace::motion {
namespace {

// Throws if a sample has more than 10 bits; `samples` are those of whole macroblocks.
void check_samples(std::uint64_t picture, std::span<const std::uint16_t> samples) {
  constexpr int kMost = kLargestSample<std::uint16_t>;
  // Constant, so that the loop is vectorised.
  constexpr std::size_t kAtOnce = kMacroblockWidth * kMacroblockWidth;
  std::uint16_t bits = 0;
  for (std::size_t first = 0; first < samples.size(); first += kAtOnce) {
    for (std::size_t i = 0; i < kAtOnce; ++i) bits |= samples[first + i];
  }
  if (bits <= kMost) return;
  reject("picture " + std::to_string(picture) + " has a sample of " +
         std::to_string(*std::ranges::max_element(samples)) + "; samples of 10 bits are 0 to " +
         std::to_string(kMost));
}

void check_samples(const InputPicture<std::uint16_t>& picture) {
  const std::uint16_t* const samples =
      picture.source != nullptr ? picture.source : picture.current.data();
  check_samples(picture.index, {samples, picture.current.size()});
  check_samples(picture.index, picture.reconstruction);
}

// All values of 8 bits are samples.
void check_samples(const InputPicture<std::uint8_t>& /*picture*/) {}

}  // namespace

template <class Sample>
bool CallerStages<Sample>::read(InputPicture<Sample>& target) {
  if (!stages_.produce(target)) return false;
  check_samples(target);
  return true;
}

template class CallerStages<std::uint8_t>;
template class CallerStages<std::uint16_t>;

}  // namespace millrace::motion
