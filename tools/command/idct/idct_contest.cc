// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/idct/idct_contest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>

#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/device_copy_rate.h>

namespace millrace::tools {
namespace {

// Bytes of coefficients, type, prediction and reconstruction.
constexpr std::size_t kBytesPerMacroblock =
    idct::kMacroblockSamples * (sizeof(std::int16_t) + 2 * sizeof(std::uint8_t)) + 1;

std::size_t plane_bytes(idct::ConstPlane plane) {
  return static_cast<std::size_t>(plane.stride) * plane.height;
}

template <class T>
void make_room(std::shared_ptr<Device> device, Buffer<T>& buffer, std::size_t count) {
  if (buffer.size() < count) buffer = Buffer<T>(std::move(device), MemorySpace::kDevice, count);
}

template <class T>
BufferSpan<const T> host_span(const T* data, std::size_t count) {
  return BufferSpan<const T>(std::span<const T>(data, count));
}

// Key of the stored speeds.
constexpr const char* kOperation = "inverse transforms";

// Returns rows of macroblocks of a plane as a plane.
template <class Plane>
Plane rows_of(const Plane& plane, int first, int rows) {
  return {plane.data + plane.stride * first * idct::kMacroblockWidth, plane.stride, plane.width,
          rows * idct::kMacroblockWidth};
}

bool is_equal(idct::ConstPlane a, idct::ConstPlane b) {
  for (int y = 0; y < a.height; ++y) {
    if (!std::equal(a.data + y * a.stride, a.data + y * a.stride + a.width,
                    b.data + y * b.stride)) {
      return false;
    }
  }
  return true;
}

}  // namespace

double IdctRun::macroblocks_per_second() const {
  return static_cast<double>(macroblocks) / seconds;
}

double IdctRun::bytes_per_second() const { return macroblocks_per_second() * kBytesPerMacroblock; }

IdctContest::IdctContest(std::vector<DeviceGroup> groups, const std::vector<Policy>& policies)
    : policies_(policies) {
  for (DeviceGroup& group : groups) {
    Participant& participant = participants_.emplace_back(std::move(group));
    double copy_rate = 0;
    for (std::size_t i = 0; i < participant.group.size(); ++i) {
      copy_rate += measure_device_copy_rate(participant.group.queue(i));
    }
    for (const Policy policy : policies) {
      runs_.push_back({.device = participant.group.name(),
                       .policy = policy,
                       .copy_bytes_per_second = copy_rate});
    }
  }
}

void IdctContest::Participant::plan(int rows) {
  const std::vector<double> speeds = DeviceSpeeds::shared().of(kOperation, group.infos());
  const double all = std::accumulate(speeds.begin(), speeds.end(), 0.0);
  double before = 0;
  int first = 0;
  for (std::size_t i = 0; i < group.size(); ++i) {
    before += speeds[i];
    const int end =
        i + 1 == group.size() ? rows : static_cast<int>(std::lround(before / all * rows));
    bands[i].first_row = first;
    bands[i].rows = std::max(0, end - first);
    first = std::max(first, end);
  }
}

void IdctContest::Participant::upload(const CodedPlane& coded, idct::ConstPlane prediction_plane) {
  plan(prediction_plane.height / idct::kMacroblockWidth);
  const std::size_t per_row = prediction_plane.macroblocks_per_row();
  for (std::size_t i = 0; i < group.size(); ++i) {
    Band& band = bands[i];
    Queue& queue = group.queue(i);
    const std::size_t first = band.first_row * per_row;
    const std::size_t count = std::min(band.rows * per_row, coded.sizes.size() - first);
    const idct::ConstPlane own = rows_of(prediction_plane, band.first_row, band.rows);
    const std::size_t bytes = plane_bytes(own);
    make_room(group.device(i), band.sizes, count);
    make_room(group.device(i), band.coefficients, count * idct::kMacroblockSamples);
    make_room(group.device(i), band.prediction, bytes);
    make_room(group.device(i), band.output, bytes);
    if (count == 0) continue;
    copy(queue, band.sizes.span(0, count), host_span(coded.sizes.data() + first, count));
    copy(queue, band.coefficients.span(0, count * idct::kMacroblockSamples),
         host_span(coded.coefficients.data() + first * idct::kMacroblockSamples,
                   count * idct::kMacroblockSamples));
    copy(queue, band.prediction.span(0, bytes), host_span(own.data, bytes));
  }
  group.wait();
}

void IdctContest::Participant::run(Policy policy, idct::ConstPlane shape, IdctRun& run) {
  const bool is_group = group.size() > 1;
  run.shares.resize(is_group ? group.size() : 0);
  std::vector<Policy> ran(group.size(), policy);
  group.run([&](std::size_t i, const std::stop_token&) {
    Band& band = bands[i];
    if (band.rows == 0) return;
    const auto start = std::chrono::steady_clock::now();
    const int height = band.rows * idct::kMacroblockWidth;
    const std::size_t macroblocks =
        static_cast<std::size_t>(band.rows) * shape.macroblocks_per_row();
    ran[i] = idct::reconstruct(
                 group.queue(i), {band.sizes.data(), band.coefficients.data(), macroblocks},
                 {band.prediction.data(), shape.stride, shape.width, height},
                 {band.output.data(), shape.stride, shape.width, height}, {.policy = policy})
                 .policy;
    if (!is_group) return;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    const std::string& device = group.device(i)->info().name;
    DeviceSpeeds::shared().add(kOperation, device, band.rows, taken.count());
    run.shares[i].items += static_cast<std::uint64_t>(band.rows);
    run.shares[i].seconds += taken.count();
    ++run.shares[i].pieces;
  });
  for (std::size_t i = 0; i < run.shares.size(); ++i) {
    run.shares[i].device = group.device(i)->info().name;
  }
  const auto at_work =
      std::find_if(bands.begin(), bands.end(), [](const Band& band) { return band.rows > 0; });
  run.ran = ran[static_cast<std::size_t>(at_work - bands.begin())];
}

void IdctContest::Participant::download(idct::Plane plane) {
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Band& band = bands[i];
    const idct::Plane own = rows_of(plane, band.first_row, band.rows);
    group.queue(i).copy(own.data, band.output.data(), plane_bytes(own));
  }
  group.wait();
}

void IdctContest::reconstruct(const CodedPlane& coded, idct::ConstPlane prediction,
                              idct::Plane output) {
  const std::size_t macroblocks = coded.sizes.size();
  other_output_.resize(plane_bytes(output));
  std::size_t next_run = 0;
  for (Participant& participant : participants_) {
    participant.upload(coded, prediction);
    for (const Policy policy : policies_) {
      IdctRun& run = runs_[next_run];
      // Every policy starts after an upload, so that caches and threads are in the same state.
      if (policy != policies_.front()) participant.upload(coded, prediction);
      if (!is_warm_) {
        IdctRun warm_up = run;
        participant.run(policy, prediction, warm_up);
      }
      const auto start = std::chrono::steady_clock::now();
      participant.run(policy, prediction, run);
      const auto end = std::chrono::steady_clock::now();
      run.seconds += std::chrono::duration<double>(end - start).count();
      run.macroblocks += macroblocks;

      const idct::Plane other{other_output_.data(), output.stride, output.width, output.height};
      participant.download(next_run == 0 ? output : other);
      if (next_run > 0 && !is_equal(output, other)) {
        throw Error(ErrorCode::kInternal,
                    run.device + " under " + to_string(run.policy) + " and " + runs_[0].device +
                        " under " + to_string(runs_[0].policy) + " reconstruct differently");
      }
      ++next_run;
    }
  }
  is_warm_ = true;
}

void IdctContest::reconstruct_untimed(const CodedPlane& coded, idct::ConstPlane prediction,
                                      idct::Plane output) {
  Participant& participant = participants_.front();
  participant.upload(coded, prediction);
  IdctRun untimed = runs_.front();
  participant.run(policies_.front(), prediction, untimed);
  participant.download(output);
}

}  // namespace millrace::tools
