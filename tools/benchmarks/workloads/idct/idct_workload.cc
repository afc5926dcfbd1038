// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/idct_reference.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_workload.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

constexpr std::size_t kSamples = idct::kMacroblockSamples;

template <class T>
BufferSpan<const T> const_span(const std::vector<T>& values) {
  return BufferSpan<const T>(std::span<const T>(values));
}

}  // namespace

HostMacroblocks random_macroblocks(std::size_t count) {
  HostMacroblocks macroblocks{std::vector<idct::TransformSize>(count),
                              std::vector<std::int16_t>(kSamples * count)};
  std::mt19937 random(20120301);
  for (auto& size : macroblocks.sizes) {
    size = random() % 2 == 0 ? idct::TransformSize::k4x4 : idct::TransformSize::k8x8;
  }
  for (auto& value : macroblocks.coefficients) {
    value = static_cast<std::int16_t>(random() % 1024) - 512;
  }
  return macroblocks;
}

IdctWorkload::IdctWorkload(const std::shared_ptr<Device>& device, std::size_t count)
    : IdctWorkload(device, random_macroblocks(count)) {}

IdctWorkload::IdctWorkload(const std::shared_ptr<Device>& device, HostMacroblocks macroblocks)
    : host_sizes_(std::move(macroblocks.sizes)),
      host_coefficients_(std::move(macroblocks.coefficients)),
      host_residual_(kSamples * count()),
      expected_(kSamples * count()),
      sizes_(device, MemorySpace::kDevice, count()),
      coefficients_(device, MemorySpace::kDevice, kSamples * (count() + 1)),
      residual_(device, MemorySpace::kDevice, kSamples * count()) {
  for (std::size_t m = 0; m < count(); ++m) {
    idct::reference_residual(
        host_sizes_[m],
        std::span<const std::int16_t, kSamples>(&host_coefficients_[kSamples * m], kSamples),
        std::span<std::int16_t, kSamples>(&expected_[kSamples * m], kSamples));
  }

  const auto queue = device->make_queue();
  copy(*queue, sizes_.span(), const_span(host_sizes_));
  copy(*queue, coefficients_.span(first_coefficient(), kSamples * count()),
       const_span(host_coefficients_));
  queue->wait();
}

idct::MacroblockQueue IdctWorkload::on_host() const {
  return {host_sizes_.data(), host_coefficients_.data(), count()};
}

idct::MacroblockQueue IdctWorkload::on_device() const {
  return {sizes_.data(), coefficients_.data() + first_coefficient(), count()};
}

std::size_t IdctWorkload::first_coefficient() const {
  constexpr std::size_t kBytes = kSamples * sizeof(std::int16_t);
  const std::size_t past = reinterpret_cast<std::uintptr_t>(coefficients_.data()) % kBytes;
  return past == 0 ? 0 : (kBytes - past) / sizeof(std::int16_t);
}

void IdctWorkload::spoil_host() { std::ranges::fill(host_residual_, std::int16_t{0x5a5a}); }

void IdctWorkload::check_host() const {
  const auto difference = std::ranges::mismatch(host_residual_, expected_);
  if (difference.in1 == host_residual_.end()) return;
  const auto sample = static_cast<std::size_t>(difference.in1 - host_residual_.begin());
  throw Error(ErrorCode::kInternal,
              "macroblock " + std::to_string(sample / kSamples) + " differs from the reference");
}

void IdctWorkload::spoil_device(Queue& queue) {
  fill_bytes(queue, residual_.span(), std::byte{0x5a});
  queue.wait();
}

void IdctWorkload::check_device(Queue& queue) {
  copy(queue, BufferSpan<std::int16_t>(std::span<std::int16_t>(host_residual_)), residual_.span());
  queue.wait();
  check_host();
}

}  // namespace millrace::tools
