// SPDX-License-Identifier: Apache-2.0

// The macroblocks that the benchmarks of the inverse transform work on.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_IDCT_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_IDCT_WORKLOAD_H_

#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace millrace::tools {

// Number of bytes of a macroblock's coefficients, all of them coded.
inline constexpr double kCoefficientBytes = idct::kMacroblockSamples * sizeof(std::int16_t);

// A queue in host memory, with 256 coefficients for each macroblock.
struct HostMacroblocks {
  std::vector<idct::TransformSize> sizes;
  std::vector<std::int16_t> coefficients;
};

// Returns macroblocks of random types, every coefficient coded; the same for the same count.
HostMacroblocks random_macroblocks(std::size_t count);

// A queue of macroblocks and memory for its residual, both in host memory and in the device's. Each
// use starts with a residual that is wrong.
class IdctWorkload {
 public:
  // Has random_macroblocks().
  IdctWorkload(const std::shared_ptr<Device>& device, std::size_t count);
  IdctWorkload(const std::shared_ptr<Device>& device, HostMacroblocks macroblocks);

  std::size_t count() const { return host_sizes_.size(); }
  std::span<const idct::TransformSize> sizes() const { return host_sizes_; }

  idct::MacroblockQueue on_host() const;
  idct::MacroblockQueue on_device() const;
  std::int16_t* host_residual() { return host_residual_.data(); }
  std::int16_t* device_residual() { return residual_.data(); }

  // Spoil the residual; throw Error (kInternal) unless it is the reference's.
  void spoil_host();
  void check_host() const;
  void spoil_device(Queue& queue);
  void check_device(Queue& queue);

 private:
  // Index from which the coefficients begin at a multiple of 512 bytes, as a texture requires.
  std::size_t first_coefficient() const;

  std::vector<idct::TransformSize> host_sizes_;
  std::vector<std::int16_t> host_coefficients_;
  std::vector<std::int16_t> host_residual_;
  std::vector<std::int16_t> expected_;
  Buffer<idct::TransformSize> sizes_;
  Buffer<std::int16_t> coefficients_;
  Buffer<std::int16_t> residual_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_IDCT_WORKLOAD_H_
