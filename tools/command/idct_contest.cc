#include <millrace/tools/command/idct_contest.h>

#include <algorithm>
#include <chrono>
#include <span>

#include <millrace/runtime/error.h>
#include <millrace/tools/command/copy_rate.h>

namespace millrace::tools {
namespace {

// Coefficients, the type, prediction and reconstruction.
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

IdctContest::IdctContest(const std::vector<std::shared_ptr<Device>>& devices,
                         const std::vector<Policy>& policies)
    : policies_(policies) {
  for (const std::shared_ptr<Device>& device : devices) {
    Participant participant;
    participant.device = device;
    participant.queue = device->make_queue();
    const double copy_rate = measure_copy_rate(*participant.queue);
    for (const Policy policy : policies) {
      runs_.push_back(
          {.device = device->info().name, .policy = policy, .copy_bytes_per_second = copy_rate});
    }
    participants_.push_back(std::move(participant));
  }
}

void IdctContest::Participant::upload(const CodedPlane& coded, idct::ConstPlane prediction_plane) {
  const std::size_t bytes = plane_bytes(prediction_plane);
  make_room(device, sizes, coded.sizes.size());
  make_room(device, coefficients, coded.coefficients.size());
  make_room(device, prediction, bytes);
  make_room(device, output, bytes);
  copy(*queue, sizes.span(0, coded.sizes.size()),
       host_span(coded.sizes.data(), coded.sizes.size()));
  copy(*queue, coefficients.span(0, coded.coefficients.size()),
       host_span(coded.coefficients.data(), coded.coefficients.size()));
  copy(*queue, prediction.span(0, bytes), host_span(prediction_plane.data, bytes));
  queue->wait();
}

Policy IdctContest::Participant::run(Policy policy, std::size_t macroblocks,
                                     idct::ConstPlane shape) {
  const RunReport report = idct::reconstruct(
      *queue, {sizes.data(), coefficients.data(), macroblocks},
      {prediction.data(), shape.stride, shape.width, shape.height},
      {output.data(), shape.stride, shape.width, shape.height}, {.policy = policy});
  return report.policy;
}

void IdctContest::Participant::download(idct::Plane plane) {
  const std::size_t bytes = plane_bytes(plane);
  copy(*queue, BufferSpan<std::uint8_t>(std::span<std::uint8_t>(plane.data, bytes)),
       output.span(0, bytes));
  queue->wait();
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
      if (!is_warm_) participant.run(policy, macroblocks, prediction);
      const auto start = std::chrono::steady_clock::now();
      run.ran = participant.run(policy, macroblocks, prediction);
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
  participant.run(policies_.front(), coded.sizes.size(), prediction);
  participant.download(output);
}

}  // namespace millrace::tools
