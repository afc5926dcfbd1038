// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/bitstream/nal_unit.h>
#include <millrace/algorithms/h264/features/frame_features.h>
#include <millrace/algorithms/h264/features/tasks/feature_streams.h>
#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/algorithms/h264/stream/push_stream.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/host/splitmix64.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/h264/many_streams.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace millrace::tools {
namespace {

// A sum over the features of a stream that distinguishes streams.
class Digest final : public h264::FeatureSink {
 public:
  void add(const h264::FrameFeatures& features) override {
    ++pictures;
    double sum = features.mean_qp + features.motion.length.mean + features.motion.x.deviation +
                 features.motion.difference.mean + features.references.mean_output_distance;
    for (const std::int64_t bits : features.bits) sum += static_cast<double>(bits);
    for (const std::int64_t energy : features.coefficients.luma_4x4.energy) {
      sum += static_cast<double>(energy);
    }
    for (const std::int64_t zeros : features.coefficients.chroma.zeros) {
      sum += static_cast<double>(zeros);
    }
    digest += static_cast<double>(pictures) * sum;
  }
  void fault(const h264::StreamFault& fault) override {
    throw Error(ErrorCode::kInternal, "the stream has a fault: " + fault.message);
  }
  void frame(const h264::DecodedFrame& frame) override {
    for (int plane = 0; plane < 3; ++plane) {
      const std::uint8_t* const samples = frame.samples->plane(plane);
      const int count = frame.samples->width(plane) * frame.samples->height(plane);
      for (int i = 0; i < count; ++i) {
        sample_digest = sample_digest * kSplitMixStep + samples[i];
      }
    }
  }

  std::int64_t pictures = 0;
  double digest = 0;
  std::uint64_t sample_digest = 0;
};

// Measures a stream on this thread.
class HostMeasurement final : public h264::PictureSink {
 public:
  void decode(const std::shared_ptr<const h264::ParsedPicture>& picture) override {
    if (picture->is_inferred) return extractor_.skip(*picture);
    digest.add(extractor_.measure(*picture));
  }
  void release(std::int64_t picture) override { extractor_.release(picture); }
  void fault(const h264::StreamFault& fault) override { digest.fault(fault); }

  Digest digest;

 private:
  h264::FrameFeatureExtractor extractor_;
};

// Runs work(0) to work(count - 1) on threads of their own.
void run_side_by_side(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::exception_ptr error;
  std::mutex mutex;
  {
    std::vector<std::jthread> threads;
    for (std::size_t k = 0; k < count; ++k) {
      threads.emplace_back([&, k] {
        try {
          work(k);
        } catch (...) {
          const std::lock_guard lock(mutex);
          error = std::current_exception();
        }
      });
    }
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace

ManyStreams::ManyStreams(std::vector<std::uint8_t> stream, std::size_t count, bool decodes)
    : stream_(std::move(stream)), count_(count), decodes_(decodes) {
  struct Receiver {
    ManyStreams& streams;
    void push_nal_unit(std::span<const std::uint8_t> unit, std::int64_t byte, int framing_bytes) {
      const auto first = static_cast<std::size_t>(byte);
      const std::span<const std::uint8_t> bytes(streams.stream_.data() + first, unit.size());
      streams.units_.push_back({bytes, byte, framing_bytes});
    }
    void finish() {}
  } receiver{*this};
  h264::push_stream(stream_, receiver);
  HostMeasurement measurement;
  h264::StreamParser parser(measurement);
  // A picture is at hand when the unit behind it arrives.
  for (std::size_t k = 0; k < units_.size(); ++k) {
    const std::int64_t before = measurement.digest.pictures;
    parser.push_nal_unit(units_[k].bytes, units_[k].byte, units_[k].framing_bytes);
    if (measurement.digest.pictures > before) picture_ends_.push_back(k + 1);
  }
  parser.finish();
  picture_ends_.push_back(units_.size());
  digest_ = measurement.digest.digest;
  if (!decodes) return;
  Digest decoded;
  h264::Decoder decoder([&](const h264::DecodedFrame& frame) { decoded.frame(frame); });
  h264::push_stream(stream_, decoder);
  sample_digest_ = decoded.sample_digest;
}

std::int64_t ManyStreams::pictures() const {
  return static_cast<std::int64_t>(picture_ends_.size() * count_);
}

std::int64_t ManyStreams::bytes() const {
  return static_cast<std::int64_t>(stream_.size() * count_);
}

ManyStreams::DeviceRun ManyStreams::run_on_device(const std::shared_ptr<Device>& device,
                                                  Policy policy, Arrival arrival) const {
  DeviceRun run;
  std::mutex mutex;
  const std::size_t workers = std::min(kWorkers, count_);
  const auto serve = [&](std::size_t worker) {
    const std::shared_ptr<Queue> queue = device->make_queue();
    const auto samples = decodes_ ? h264::StreamSamples::kOnDevice : h264::StreamSamples::kNone;
    h264::FeatureStreams streams(*queue, {.samples = samples, .run = {.policy = policy}});
    const std::size_t own = count_ / workers + (worker < count_ % workers ? 1 : 0);
    std::vector<Digest> digests(own);
    std::vector<std::unique_ptr<h264::FeatureStream>> open(own);
    const auto for_each_stream = [own](const auto& work) {
      constexpr std::size_t kPiece = 16;
      HostThreads::shared().for_each_in_pieces(own, kPiece, work);
    };
    for_each_stream([&](std::size_t stream) { open[stream] = streams.open(digests[stream]); });
    DeviceRun own_run;
    std::size_t first = 0;
    for (std::size_t picture = 0; picture < picture_ends_.size(); ++picture) {
      const std::size_t end = picture_ends_[picture];
      const bool is_last = picture + 1 == picture_ends_.size();
      if (arrival == Arrival::kStored && !is_last) continue;
      own_run.pushing_seconds += seconds_of([&] {
        for_each_stream([&](std::size_t stream) {
          for (std::size_t k = first; k < end; ++k) {
            open[stream]->push_nal_unit(units_[k].bytes, units_[k].byte, units_[k].framing_bytes);
          }
          if (is_last) open[stream]->finish();
        });
      });
      own_run.report += streams.run();
      first = end;
    }
    for_each_stream([&](std::size_t stream) { open[stream].reset(); });
    const std::lock_guard lock(mutex);
    run.pushing_seconds += own_run.pushing_seconds;
    run.report += own_run.report;
    for (const Digest& digest : digests) {
      if (digest.digest == digest_) continue;
      throw Error(ErrorCode::kInternal, "a stream has other features than on one thread");
    }
  };
  run.seconds = seconds_of([&] { run_side_by_side(workers, serve); });
  return run;
}

std::vector<double> ManyStreams::latencies(Device& device, Policy policy) const {
  // An access unit delimiter (clause 7.3.2.4) says that the picture before it has ended.
  constexpr std::uint8_t kDelimiter[] = {0x09, 0xf0};
  const std::shared_ptr<Queue> queue = device.make_queue();
  const auto samples = decodes_ ? h264::StreamSamples::kOnDevice : h264::StreamSamples::kNone;
  h264::FeatureStreams streams(*queue, {.samples = samples, .run = {.policy = policy}});
  std::vector<Digest> digests(count_);
  std::vector<std::unique_ptr<h264::FeatureStream>> open(count_);
  for (std::size_t stream = 0; stream < count_; ++stream) {
    open[stream] = streams.open(digests[stream]);
  }
  std::vector<double> latencies;
  std::size_t first = 0;
  for (std::size_t picture = 0; picture < picture_ends_.size(); ++picture) {
    // The last unit before an end begins the next picture.
    const bool is_last = picture + 1 == picture_ends_.size();
    const std::size_t own_end = picture_ends_[picture] - (is_last ? 0 : 1);
    const double begin = seconds_now();
    constexpr std::size_t kPiece = 16;
    HostThreads::shared().for_each_in_pieces(count_, kPiece, [&](std::size_t stream) {
      for (std::size_t k = first; k < own_end; ++k) {
        open[stream]->push_nal_unit(units_[k].bytes, units_[k].byte, units_[k].framing_bytes);
      }
      open[stream]->push_nal_unit(kDelimiter, units_[own_end - 1].byte);
    });
    streams.run();
    latencies.push_back(seconds_now() - begin);
    first = own_end;
  }
  for (const auto& stream : open) stream->finish();
  streams.run();
  for (const Digest& digest : digests) {
    if (digest.digest == digest_) continue;
    throw Error(ErrorCode::kInternal, "a stream has other features than on one thread");
  }
  return latencies;
}

double ManyStreams::run_on_host() const {
  const double begin = seconds_now();
  HostThreads::shared().for_each(count_, [this](std::size_t) {
    HostMeasurement measurement;
    if (decodes_) {
      h264::Decoder decoder([](const h264::DecodedFrame&) {}, {.observer = &measurement});
      push_all(decoder);
    } else {
      h264::StreamParser parser(measurement);
      push_all(parser);
    }
    if (measurement.digest.digest == digest_) return;
    throw Error(ErrorCode::kInternal, "a stream has other features than before");
  });
  return seconds_now() - begin;
}

void ManyStreams::check_samples(Device& device, Policy policy) const {
  constexpr std::size_t kMostChecked = 20;
  const std::shared_ptr<Queue> queue = device.make_queue();
  h264::FeatureStreams streams(*queue,
                               {.samples = h264::StreamSamples::kGiven, .run = {.policy = policy}});
  std::vector<Digest> digests(std::min(count_, kMostChecked));
  std::vector<std::unique_ptr<h264::FeatureStream>> open;
  for (Digest& digest : digests) {
    open.push_back(streams.open(digest));
    push_all(*open.back());
  }
  streams.run();
  for (const Digest& digest : digests) {
    if (digest.sample_digest == sample_digest_) continue;
    throw Error(ErrorCode::kInternal, "a stream has other samples than on one thread");
  }
}

template <class Parser>
void ManyStreams::push_all(Parser& parser) const {
  for (const Unit& unit : units_) parser.push_nal_unit(unit.bytes, unit.byte, unit.framing_bytes);
  parser.finish();
}

}  // namespace millrace::tools
