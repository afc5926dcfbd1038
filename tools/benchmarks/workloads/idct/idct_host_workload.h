// SPDX-License-Identifier: Apache-2.0

// Queues of macroblocks in host memory, as a video has them.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_IDCT_HOST_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_IDCT_HOST_WORKLOAD_H_

#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/algorithms/idct/stream/residual_features.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {

// Pictures one below the other, each a prediction and what is coded of its residual, and what must
// come of them by the reference (idct_reference.h). Arrays that go over a link are pinned for the
// device.
class IdctHostWorkload {
 public:
  // Luma of the clip's pictures at QP 28, each predicted from the reconstruction of the one before,
  // over again until there are `pictures`. Throws what VideoReader throws.
  static IdctHostWorkload of_clip(const std::shared_ptr<Device>& device, const std::string& clip,
                                  std::size_t pictures);

  // Pictures of so many macroblocks with random coefficients as many and as large as those of clips
  // of 1920x1080 at QP 28: they take 5 to 15 coded bytes a macroblock.
  static IdctHostWorkload synthetic(const std::shared_ptr<Device>& device, int columns, int rows,
                                    std::size_t pictures);

  std::size_t count() const { return sizes_.size(); }
  std::span<const idct::TransformSize> sizes() const { return {sizes_.data(), count()}; }
  std::size_t picture_size() const { return picture_size_; }
  std::size_t row_size() const { return static_cast<std::size_t>(width_) / 16; }

  idct::MacroblockQueue queue() const { return {sizes_.data(), coefficients_.data(), count()}; }
  idct::ConstPlane prediction() const { return plane_of(prediction_.data()); }
  idct::ConstPlane device_prediction() const { return plane_of(device_prediction_.data()); }

  // Destinations of the results. check_*() throw kInternal unless they are there, and spoil them.
  std::int16_t* residual() { return residual_.data(); }
  idct::Plane output() { return {output_.data(), width_, width_, height()}; }
  std::vector<idct::ResidualFeatures>& features() { return features_; }
  void check_residual();
  void check_output();
  void check_features();

 private:
  IdctHostWorkload(const std::shared_ptr<Device>& device, int width, int picture_height,
                   std::size_t pictures);

  int height() const { return static_cast<int>(count() / row_size()) * 16; }
  idct::ConstPlane plane_of(const std::uint8_t* samples) const {
    return {samples, width_, width_, height()};
  }
  // The elements of `of_all` for picture `picture`: `per_macroblock` of them for each macroblock.
  template <class T>
  T* picture_data(Buffer<T>& of_all, std::size_t picture, std::size_t per_macroblock) {
    return of_all.data() + picture * picture_size_ * per_macroblock;
  }
  void repeat(std::size_t pictures);
  void upload_prediction(const std::shared_ptr<Device>& device);
  void compute_expected(std::size_t pictures);

  int width_;
  std::size_t picture_size_;
  Buffer<idct::TransformSize> sizes_;
  Buffer<std::int16_t> coefficients_;
  Buffer<std::uint8_t> prediction_;
  Buffer<std::uint8_t> device_prediction_;
  Buffer<std::int16_t> residual_;
  Buffer<std::uint8_t> output_;
  std::vector<idct::ResidualFeatures> features_;
  std::vector<std::int16_t> expected_residual_;
  std::vector<std::uint8_t> expected_output_;
  std::vector<idct::ResidualFeatures> expected_features_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_IDCT_HOST_WORKLOAD_H_
