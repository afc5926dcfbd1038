// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/host_span.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/timeline/timeline.h>
#include <millrace/tools/benchmarks/harness/device_copy_rate.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/command/idct/equal_rows.h>
#include <millrace/tools/command/idct/idct_contest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

namespace millrace::tools {
namespace {

// Bytes of coefficients, type, prediction and reconstruction; as many as those of coefficients,
// type and residual.
constexpr std::size_t kBytesPerMacroblock =
    idct::kMacroblockSamples * (sizeof(std::int16_t) + 2 * sizeof(std::uint8_t)) + 1;

std::size_t plane_bytes(idct::ConstPlane plane) {
  return static_cast<std::size_t>(plane.stride) * plane.height;
}

template <class T>
void reserve(std::shared_ptr<Device> device, Buffer<T>& buffer, std::size_t count) {
  if (buffer.size() < count) buffer = Buffer<T>(std::move(device), MemorySpace::kDevice, count);
}

// Keys of the stored speeds, in rows of macroblocks and in macroblocks.
constexpr const char* kReconstructions = "inverse transforms";
constexpr const char* kResiduals = "inverse transforms to residuals";

// Returns rows of macroblocks of a plane as a plane.
template <class Plane>
Plane rows_of(const Plane& plane, int first, int rows) {
  return {plane.data + plane.stride * first * idct::kMacroblockWidth, plane.stride, plane.width,
          rows * idct::kMacroblockWidth};
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

IdctContest::Work IdctContest::Work::of_residuals(const idct::MacroblockQueue& queue) {
  constexpr int kWidth = idct::kMacroblockWidth;
  return {queue, {nullptr, kWidth, kWidth, kWidth * static_cast<int>(queue.count)}};
}

std::size_t IdctContest::Work::output_bytes(int rows) const {
  const std::size_t samples = plane_bytes(rows_of(prediction, 0, rows));
  return is_residual() ? samples * sizeof(std::int16_t) : samples;
}

void IdctContest::Participant::plan(const Work& work) {
  const int rows = work.prediction.height / idct::kMacroblockWidth;
  const std::vector<double> speeds =
      DeviceSpeeds::shared().of(work.is_residual() ? kResiduals : kReconstructions, group.infos());
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

void IdctContest::Participant::upload(const Work& work) {
  plan(work);
  const std::size_t per_row = work.prediction.macroblocks_per_row();
  for (std::size_t i = 0; i < group.size(); ++i) {
    DeviceBand& band = bands[i];
    Queue& queue = group.queue(i);
    const std::size_t first = band.first_row * per_row;
    const std::size_t count = std::min(band.rows * per_row, work.queue.count - first);
    reserve(group.device(i), band.sizes, count);
    reserve(group.device(i), band.coefficients, count * idct::kMacroblockSamples);
    reserve(group.device(i), band.output, work.output_bytes(band.rows));
    if (count == 0) continue;
    copy(queue, band.sizes.span(0, count), idct::host_span(work.queue.sizes + first, count));
    copy(queue, band.coefficients.span(0, count * idct::kMacroblockSamples),
         idct::host_span(work.queue.coefficients + first * idct::kMacroblockSamples,
                         count * idct::kMacroblockSamples));
    if (work.is_residual()) continue;
    const idct::ConstPlane own = rows_of(work.prediction, band.first_row, band.rows);
    const std::size_t bytes = plane_bytes(own);
    reserve(group.device(i), band.prediction, bytes);
    copy(queue, band.prediction.span(0, bytes), idct::host_span(own.data, bytes));
  }
  group.wait();
}

Policy IdctContest::Participant::run_band(std::size_t device, Policy policy, const Work& work) {
  DeviceBand& band = bands[device];
  const idct::ConstPlane& shape = work.prediction;
  const int height = band.rows * idct::kMacroblockWidth;
  const idct::MacroblockQueue queue{
      band.sizes.data(), band.coefficients.data(),
      static_cast<std::size_t>(band.rows) * shape.macroblocks_per_row()};
  if (work.is_residual()) {
    auto* const residual = reinterpret_cast<std::int16_t*>(band.output.data());
    return idct::inverse_transform(group.queue(device), queue, residual, {.policy = policy}).policy;
  }
  auto* const samples = reinterpret_cast<std::uint8_t*>(band.output.data());
  return idct::reconstruct(group.queue(device), queue,
                           {band.prediction.data(), shape.stride, shape.width, height},
                           {samples, shape.stride, shape.width, height}, {.policy = policy})
      .policy;
}

void IdctContest::Participant::run(Policy policy, const Work& work, IdctRun& run) {
  const bool is_group = group.size() > 1;
  run.portions.resize(is_group ? group.size() : 0);
  std::vector<Policy> ran(group.size(), policy);
  group.run([&](std::size_t i, const std::stop_token&) {
    const DeviceBand& band = bands[i];
    if (band.rows == 0) return;
    const double seconds = seconds_of([&] { ran[i] = run_band(i, policy, work); });
    if (!is_group) return;
    const std::string& device = group.device(i)->info().name;
    DeviceSpeeds::shared().add(work.is_residual() ? kResiduals : kReconstructions, device,
                               band.rows, seconds);
    run.portions[i].items += static_cast<std::uint64_t>(band.rows);
    run.portions[i].seconds += seconds;
    ++run.portions[i].pieces;
  });
  for (std::size_t i = 0; i < run.portions.size(); ++i) {
    run.portions[i].device = group.device(i)->info().name;
  }
  const auto at_work =
      std::ranges::find_if(bands, [](const DeviceBand& band) { return band.rows > 0; });
  run.ran = ran[static_cast<std::size_t>(at_work - bands.begin())];
}

void IdctContest::Participant::download(const Work& work, std::byte* output) {
  for (std::size_t i = 0; i < group.size(); ++i) {
    const DeviceBand& band = bands[i];
    group.queue(i).copy(output + work.output_bytes(band.first_row), band.output.data(),
                        work.output_bytes(band.rows));
  }
  group.wait();
}

void IdctContest::compete(const Work& work, std::byte* output) {
  const int rows = work.prediction.height / idct::kMacroblockWidth;
  const std::size_t bytes = work.output_bytes(rows);
  other_output_.resize(bytes);
  const auto is_first_result = [&] {
    const TimelineScope scope("host compare", "result", bytes);
    const idct::ConstPlane& shape = work.prediction;
    const std::size_t sample = work.is_residual() ? sizeof(std::int16_t) : sizeof(std::uint8_t);
    return equal_rows(output, other_output_.data(),
                      {.bytes = shape.width * sample,
                       .stride = shape.stride * sample,
                       .count = static_cast<std::size_t>(shape.height)});
  };
  std::size_t next_run = 0;
  for (Participant& participant : participants_) {
    participant.upload(work);
    for (const Policy policy : policies_) {
      IdctRun& run = runs_[next_run];
      // Every policy starts after an upload, so that caches and threads are in the same state.
      if (policy != policies_.front()) participant.upload(work);
      if (!is_warm_) {
        IdctRun warm_up = run;
        participant.run(policy, work, warm_up);
      }
      run.seconds += seconds_of([&] { participant.run(policy, work, run); });
      run.macroblocks += work.queue.count;

      participant.download(work, next_run == 0 ? output : other_output_.data());
      if (next_run > 0 && !is_first_result()) {
        throw Error(ErrorCode::kInternal,
                    run.device + " under " + to_string(run.policy) + " and " + runs_[0].device +
                        " under " + to_string(runs_[0].policy) + " reconstruct differently");
      }
      ++next_run;
    }
  }
  is_warm_ = true;
}

void IdctContest::reconstruct(const CodedPlane& coded, idct::ConstPlane prediction,
                              idct::Plane output) {
  compete({coded.queue(), prediction}, reinterpret_cast<std::byte*>(output.data));
}

void IdctContest::transform(const idct::MacroblockQueue& queue, std::int16_t* residual) {
  compete(Work::of_residuals(queue), reinterpret_cast<std::byte*>(residual));
}

void IdctContest::reconstruct_untimed(const CodedPlane& coded, idct::ConstPlane prediction,
                                      idct::Plane output) {
  const Work work{coded.queue(), prediction};
  Participant& participant = participants_.front();
  participant.upload(work);
  IdctRun untimed = runs_.front();
  participant.run(policies_.front(), work, untimed);
  participant.download(work, reinterpret_cast<std::byte*>(output.data));
}

}  // namespace millrace::tools
