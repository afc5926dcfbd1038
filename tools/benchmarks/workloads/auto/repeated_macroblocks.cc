// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/idct.h>
#include <millrace/algorithms/idct/idct_reference.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/auto/repeated_macroblocks.h>

#include <algorithm>
#include <random>
#include <utility>

namespace millrace::tools {
namespace {

constexpr std::size_t kSamples = idct::kMacroblockSamples;
constexpr std::size_t kMade = 4096;  // Macroblocks that differ.

using Values = std::span<const std::int16_t>;

[[noreturn]] void throw_wrong(const std::string& what) {
  throw Error(ErrorCode::kInternal, "the inverse transform: " + what);
}

}  // namespace

RepeatedMacroblocks::RepeatedMacroblocks(std::shared_ptr<Queue> queue, std::size_t count,
                                         unsigned percent)
    : queue_(std::move(queue)),
      count_(count),
      sizes_(queue_->device().shared_from_this(), MemorySpace::kDevice, count),
      coefficients_(queue_->device().shared_from_this(), MemorySpace::kDevice, kSamples * count),
      residual_(queue_->device().shared_from_this(), MemorySpace::kDevice, kSamples * count),
      host_sizes_(count) {
  std::mt19937 random(7);
  for (auto& size : host_sizes_) {
    size = random() % 100 < percent ? idct::TransformSize::k8x8 : idct::TransformSize::k4x4;
  }
  copy(*queue_, sizes_.span(),
       BufferSpan<const idct::TransformSize>(std::span<const idct::TransformSize>(host_sizes_)));
  make_coefficients();
}

void RepeatedMacroblocks::make_coefficients() {
  std::mt19937 random(8);
  std::vector<std::int16_t> made(kSamples * std::min(count_, kMade));
  for (auto& value : made)
    value = static_cast<std::int16_t>(static_cast<int>(random() % 512) - 256);
  for (std::size_t begin = 0; begin < kSamples * count_; begin += made.size()) {
    const std::size_t size = std::min(made.size(), kSamples * count_ - begin);
    copy(*queue_, coefficients_.span(begin, size),
         BufferSpan<const std::int16_t>(Values(made).first(size)));
  }
  queue_->wait();
  for (const auto size : {idct::TransformSize::k4x4, idct::TransformSize::k8x8}) {
    std::vector<std::int16_t>& expected = expected_[size == idct::TransformSize::k8x8 ? 1 : 0];
    expected.resize(made.size());
    for (std::size_t i = 0; i < made.size(); i += kSamples) {
      idct::reference_residual(size, std::span<const std::int16_t, kSamples>(&made[i], kSamples),
                               std::span<std::int16_t, kSamples>(&expected[i], kSamples));
    }
  }
}

AutoRun RepeatedMacroblocks::run(Policy policy) {
  const bool is_first = checked_.insert(policy).second;
  const std::size_t checked = is_first ? count_ : std::min<std::size_t>(count_, 16);
  const std::size_t last = count_ - checked;
  spoil(0, checked);
  if (last > 0) spoil(last, checked);
  RunReport report;
  const double seconds = seconds_of([&] {
    report = idct::inverse_transform(*queue_, {sizes_.data(), coefficients_.data(), count_},
                                     residual_.data(), {.policy = policy});
  });
  check(0, checked);
  if (last > 0) check(last, checked);
  if (report.tasks() != count_) {
    throw_wrong(std::to_string(report.tasks()) + " macroblocks ran of " + std::to_string(count_));
  }
  return {seconds, static_cast<double>(count_), report.policy, report.switches};
}

const std::vector<std::int16_t>& RepeatedMacroblocks::expected_of(idct::TransformSize size) const {
  return expected_[size == idct::TransformSize::k8x8 ? 1 : 0];
}

void RepeatedMacroblocks::spoil(std::size_t first, std::size_t count) {
  fill_bytes(*queue_, residual_.span(kSamples * first, kSamples * count), std::byte{0x5a});
  queue_->wait();
}

// Checks macroblocks from `first` on, as many at a time as differ.
void RepeatedMacroblocks::check(std::size_t first, std::size_t count) {
  std::vector<std::int16_t> found(kSamples * std::min(count, kMade));
  for (const std::size_t end = first + count; first < end; first += kMade) {
    const std::size_t some = std::min(kMade, end - first);
    copy(*queue_, BufferSpan<std::int16_t>(std::span(found).first(kSamples * some)),
         residual_.span(kSamples * first, kSamples * some));
    queue_->wait();
    for (std::size_t i = 0; i < some; ++i) {
      const std::size_t begin = kSamples * ((first + i) % kMade);
      const auto expected = Values(expected_of(host_sizes_[first + i])).subspan(begin, kSamples);
      if (!std::ranges::equal(std::span(found).subspan(kSamples * i, kSamples), expected)) {
        throw_wrong("macroblock " + std::to_string(first + i) + " is wrong");
      }
    }
  }
}

}  // namespace millrace::tools
