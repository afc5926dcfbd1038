// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/idct.h>
#include <millrace/algorithms/idct/idct_reference.h>
#include <millrace/algorithms/idct/residual_coder/residual_coder.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_host_workload.h>
#include <millrace/tools/video/picture/picture.h>
#include <millrace/tools/video/video_reader.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <span>

namespace millrace::tools {
namespace {

constexpr std::size_t kSamples = idct::kMacroblockSamples;
constexpr int kQp = 28;
constexpr int kMidGrey = 128;

template <class T>
Buffer<T> pinned(const std::shared_ptr<Device>& device, std::size_t count) {
  return Buffer<T>(device->pool(MemorySpace::kPinned), count);
}

idct::ConstPlane luma(const Picture& picture) {
  const ConstPicturePlane plane = picture.plane(0);
  return {plane.data, plane.stride, plane.padded_width, plane.padded_height};
}

template <class T>
void check_equal(const char* what, T* found, const std::vector<T>& expected) {
  const std::span<T> there(found, expected.size());
  if (!std::ranges::equal(there, expected)) {
    throw Error(ErrorCode::kInternal, std::string(what) + " differs from the reference");
  }
  std::memset(static_cast<void*>(found), 0x5a, there.size_bytes());
}

// A third of the macroblocks have coefficients: 1 to 12 of low frequency, small levels times a
// quantiser step that is a power of two.
void fill_macroblock(std::minstd_rand& random, idct::TransformSize& size,
                     std::int16_t* coefficients) {
  size = random() % 2 == 0 ? idct::TransformSize::k4x4 : idct::TransformSize::k8x8;
  if (random() % 3 != 0) return;
  const int n = idct::block_width(size);
  for (std::size_t left = 1 + random() % 12; left > 0; --left) {
    const auto pick = [&](int below) { return static_cast<int>(random() % below); };
    const int bx = pick(idct::kMacroblockWidth / n);
    const int by = pick(2) * (idct::kMacroblockWidth / n - 1);
    const int index =
        idct::coefficient_index(size, bx, by, pick(n) * pick(n) / n, pick(n) * pick(n) / n);
    coefficients[index] = static_cast<std::int16_t>(16 * (1 + pick(4)) * (pick(2) * 2 - 1) * 16);
  }
}

}  // namespace

IdctHostWorkload::IdctHostWorkload(const std::shared_ptr<Device>& device, int width,
                                   int picture_height, std::size_t pictures)
    : width_(width),
      picture_size_(static_cast<std::size_t>(width / 16) * (picture_height / 16)),
      sizes_(pinned<idct::TransformSize>(device, pictures * picture_size_)),
      coefficients_(pinned<std::int16_t>(device, sizes_.size() * kSamples)),
      prediction_(pinned<std::uint8_t>(device, sizes_.size() * kSamples)),
      device_prediction_(device->pool(MemorySpace::kDevice), sizes_.size() * kSamples),
      residual_(pinned<std::int16_t>(device, sizes_.size() * kSamples)),
      output_(pinned<std::uint8_t>(device, sizes_.size() * kSamples)),
      features_(pictures) {}

IdctHostWorkload IdctHostWorkload::of_clip(const std::shared_ptr<Device>& device,
                                           const std::string& clip, std::size_t pictures) {
  VideoReader reader(clip);
  Picture source;
  reader.next(source);
  const idct::ConstPlane first = luma(source);
  IdctHostWorkload work(device, first.width, first.height, pictures);
  const idct::ResidualCoder intra(kQp, idct::DeadZone::kIntra);
  const idct::ResidualCoder inter(kQp, idct::DeadZone::kInter);
  const auto host_queue = open_device("tbb")->make_queue();
  std::vector<std::uint8_t> last(work.picture_size_ * kSamples, kMidGrey);
  std::size_t coded = 0;
  do {
    auto* const sizes = work.picture_data(work.sizes_, coded, 1);
    auto* const coefficients = work.picture_data(work.coefficients_, coded, kSamples);
    auto* const samples = work.picture_data(work.prediction_, coded, kSamples);
    std::ranges::copy(last, samples);
    const idct::ConstPlane prediction{samples, first.width, first.width, first.height};
    HostThreads::shared().for_each(first.height / 16, [&](std::size_t row) {
      (coded == 0 ? intra : inter)
          .code_row(luma(source), prediction, static_cast<int>(row), sizes, coefficients);
    });
    idct::reconstruct(*host_queue, {sizes, coefficients, work.picture_size_}, prediction,
                      {last.data(), first.width, first.width, first.height});
  } while (++coded < pictures && reader.next(source));
  work.repeat(coded);
  work.upload_prediction(device);
  work.compute_expected(coded);
  return work;
}

IdctHostWorkload IdctHostWorkload::synthetic(const std::shared_ptr<Device>& device, int columns,
                                             int rows, std::size_t pictures) {
  IdctHostWorkload work(device, 16 * columns, 16 * rows, pictures);
  std::minstd_rand random(20120301);
  std::fill_n(work.coefficients_.data(), work.picture_size_ * kSamples, std::int16_t{0});
  for (std::size_t m = 0; m < work.picture_size_; ++m) {
    fill_macroblock(random, work.sizes_.data()[m], work.coefficients_.data() + kSamples * m);
  }
  for (std::size_t i = 0; i < work.picture_size_ * kSamples; ++i) {
    work.prediction_.data()[i] = static_cast<std::uint8_t>(random() >> 8);
  }
  work.repeat(1);
  work.upload_prediction(device);
  work.compute_expected(1);
  return work;
}

// Fills the queue with its first pictures, over and over.
void IdctHostWorkload::repeat(std::size_t pictures) {
  const std::size_t size = pictures * picture_size_;
  const auto extend = [&](auto& buffer, std::size_t per_macroblock) {
    auto* const data = buffer.data();
    for (std::size_t i = size * per_macroblock; i < buffer.size(); i += size * per_macroblock) {
      std::copy_n(data, std::min(size * per_macroblock, buffer.size() - i), data + i);
    }
  };
  extend(sizes_, 1);
  extend(coefficients_, kSamples);
  extend(prediction_, kSamples);
}

void IdctHostWorkload::upload_prediction(const std::shared_ptr<Device>& device) {
  const auto queue = device->make_queue();
  copy(*queue, device_prediction_.span(), prediction_.span());
  queue->wait();
}

// By the reference, of the pictures that differ; the others repeat them.
void IdctHostWorkload::compute_expected(std::size_t pictures) {
  expected_residual_.resize(kSamples * count());
  expected_output_.resize(kSamples * count());
  expected_features_.resize(features_.size());
  const std::size_t samples = kSamples * picture_size_;
  const idct::Plane output{expected_output_.data(), width_, width_, height()};
  HostThreads::shared().for_each(pictures * picture_size_ / row_size(), [&](std::size_t row) {
    for (std::size_t m = row * row_size(); m < (row + 1) * row_size(); ++m) {
      const std::span<std::int16_t, kSamples> residual(&expected_residual_[kSamples * m], kSamples);
      idct::reference_residual(
          sizes_.data()[m],
          std::span<const std::int16_t, kSamples>(coefficients_.data() + kSamples * m, kSamples),
          residual);
      idct::reference_reconstruction(residual, prediction(), output, m);
    }
  });
  for (std::size_t i = pictures * samples; i < expected_residual_.size(); ++i) {
    expected_residual_[i] = expected_residual_[i - pictures * samples];
    expected_output_[i] = expected_output_[i - pictures * samples];
  }
  HostThreads::shared().for_each(features_.size(), [&](std::size_t picture) {
    idct::ResidualFeatures sums;
    for (std::size_t i = picture * samples; i < (picture + 1) * samples; ++i) {
      const int sample = expected_residual_[i];
      sums.sum_of_squares += static_cast<std::uint64_t>(std::int64_t{sample} * sample);
      sums.sum_of_absolutes += static_cast<std::uint64_t>(std::abs(sample));
    }
    expected_features_[picture] = sums;
  });
}

void IdctHostWorkload::check_residual() {
  check_equal("the residual", residual_.data(), expected_residual_);
}

void IdctHostWorkload::check_output() {
  check_equal("the picture", output_.data(), expected_output_);
}

void IdctHostWorkload::check_features() {
  check_equal("a picture's features", features_.data(), expected_features_);
}

}  // namespace millrace::tools
