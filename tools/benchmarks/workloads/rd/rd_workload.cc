// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_paper_input.h>
#include <millrace/tools/benchmarks/workloads/rd/bd_rate.h>
#include <millrace/tools/benchmarks/workloads/rd/rd_clip.h>
#include <millrace/tools/benchmarks/workloads/rd/rd_encodes.h>
#include <millrace/tools/benchmarks/workloads/rd/rd_workload.h>
#include <millrace/tools/video/encoding/paper_preset.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

namespace millrace::tools {
namespace {

std::string at_qp(const char* what, int qp) {
  return std::string(what) + ", QP " + std::to_string(qp);
}

constexpr std::size_t kOnDevice = 5;  // The strategy that CPUs do not have.

// Returns the options of one of kRdStrategies, by its index.
h264::EncoderOptions options_of(std::size_t strategy, int qp) {
  h264::EncoderOptions options = paper_encoder_options();
  options.qp = qp;
  switch (strategy) {
    case 1:
    case 2:
    case 3:
      options.profile = strategy == 1   ? h264::EncoderProfile::kBaseline
                        : strategy == 2 ? h264::EncoderProfile::kMain
                                        : h264::EncoderProfile::kHigh;
      options.decision = h264::ModeDecision::kRateDistortion;
      break;
    case 4: options.search = h264::EncoderSearch::kHexagon; break;
    case kOnDevice: options.device_work = h264::DeviceWork::kPictures; break;
    default: break;
  }
  return options;
}

// Returns the settings of one of kRdPeers, by its index.
X264Settings settings_of(std::size_t peer) {
  const std::string group = "ref=1:bframes=0:keyint=12:min-keyint=12:scenecut=0:ipratio=1:";
  switch (peer) {
    case 0:
      return {.profile = "baseline",
              .parameters = group + "rc-lookahead=0:me=hex:subme=1:partitions=none"};
    case 1:
      return {.profile = "baseline",
              .parameters = group + "me=esa:merange=32:subme=5:partitions=all:trellis=0:weightp=0"};
    case 2:
      return {.profile = "baseline",
              .parameters = group + "me=umh:merange=32:subme=7:partitions=all:trellis=2:weightp=0"};
    case 3: return {.profile = "high", .parameters = "ref=1:bframes=0:keyint=12"};
    default:
      return {.preset = "ultrafast",
              .parameters = "ref=1:bframes=0:keyint=12:min-keyint=12:scenecut=0:ipratio=1"};
  }
}

// Rates and PSNRs at kRdQps.
struct RdCurve {
  std::vector<RatePoint> luma = {};
  std::vector<RatePoint> weighted = {};

  void add(const EncodingSummary& summary) {
    luma.push_back({summary.kbit_per_second(), summary.mean_psnr_db(0)});
    weighted.push_back({summary.kbit_per_second(), summary.weighted_psnr_db()});
  }
};

class RdRuns {
 public:
  RdRuns(std::shared_ptr<Device> device, RdClip clip)
      : device_(std::move(device)), clip_(std::move(clip)) {}

  static PreparedWork prepare(const std::shared_ptr<RdRuns>& all) {
    PreparedWork prepared{all->clip_.hash(), {}};
    for (std::size_t i = 0; i < std::size(kRdStrategies); ++i) {
      if (i == kOnDevice && all->device_->info().shares_host_memory) continue;
      prepared.runs.push_back({.strategy = kRdStrategies[i],
                               .check = [=] { return all->amount(all->curve_of(i)); },
                               .run = [=] { return all->seconds(i); }});
    }
    if (all->device_->info().is_simulated) return prepared;
    for (std::size_t i = 0; i < std::size(kRdPeers); ++i) {
      prepared.runs.push_back({.peer = kRdPeers[i],
                               .check = [=] { return all->amount(all->curve_of_peer(i)); },
                               .run = [=] { return all->seconds_of_peer(i); }});
    }
    return prepared;
  }

 private:
  static RdCurve measure(const std::function<EncodingSummary(int qp)>& encode) {
    RdCurve curve;
    for (const int qp : kRdQps) curve.add(encode(qp));
    return curve;
  }

  const RdCurve& curve_of(std::size_t strategy) {
    const auto found = curves_.find(strategy);
    if (found != curves_.end()) return found->second;
    return curves_[strategy] = measure([&](int qp) {
             return measure_encode(clip_, device_,
                                   encoder_options_for(clip_, options_of(strategy, qp)));
           });
  }

  RdCurve curve_of_peer(std::size_t peer) const {
    return measure([&](int qp) { return measure_x264(clip_, settings_of(peer), qp); });
  }

  RunAmount amount(const RdCurve& curve) {
    RunAmount amount{.items = static_cast<double>(clip_.pictures.size())};
    amount.values[kPictureWidth] = clip_.width();
    amount.values[kPictureHeight] = clip_.height();
    const auto add = [&](const std::string& name, double value) {
      if (std::isfinite(value)) amount.values[name] = value;
    };
    for (std::size_t i = 0; i < std::size(kRdQps); ++i) {
      add(rd_rate_name(kRdQps[i]), curve.luma[i].kbit_per_second);
      add(rd_luma_name(kRdQps[i]), curve.luma[i].psnr_db);
      add(rd_weighted_name(kRdQps[i]), curve.weighted[i].psnr_db);
    }
    const RdCurve& first = curve_of(0);
    if (&curve == &first) return amount;
    add(kRdLumaDelta, bd_rate_percent(first.luma, curve.luma));
    add(kRdWeightedDelta, bd_rate_percent(first.weighted, curve.weighted));
    return amount;
  }

  double seconds(std::size_t strategy) {
    std::unique_ptr<h264::Encoder>& encoder = encoders_[strategy];
    if (!encoder) {
      encoder = std::make_unique<h264::Encoder>(
          device_, encoder_options_for(clip_, options_of(strategy, kRdTimedQp)));
    }
    return seconds_of([&] { encode_once(clip_, *encoder); });
  }

  double seconds_of_peer(std::size_t peer) const {
    return seconds_of([&] { encode_by_x264(clip_.pictures, settings_of(peer), kRdTimedQp, 0); });
  }

  const std::shared_ptr<Device> device_;
  const RdClip clip_;
  std::map<std::size_t, RdCurve> curves_;  // Indexed by strategy.
  std::map<std::size_t, std::unique_ptr<h264::Encoder>> encoders_;
};

}  // namespace

std::string rd_rate_name(int qp) { return at_qp("kbit/s", qp); }

std::string rd_luma_name(int qp) { return at_qp("PSNR Y", qp); }

std::string rd_weighted_name(int qp) { return at_qp("PSNR YUV", qp); }

std::vector<Workload> rd_workloads() {
  Workload workload;
  workload.name = kRateDistortion;
  workload.what = "bit rate and PSNR of encodes at four QPs, beside x264, with their times";
  workload.item_name = "pictures";
  workload.inputs = {kRdTexture};
  workload.takes_clips = true;
  workload.copies_clips = true;
  workload.strategies.assign(std::begin(kRdStrategies), std::end(kRdStrategies));
  workload.sizes = SizeChoice{.cpu = {24}, .gpu = {24}, .quick = 13, .simulated = 2};
  workload.size_rule = "is 1 to 10000 pictures";
  workload.is_size = [](std::uint64_t size) { return size >= 1 && size <= 10'000; };
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string& input,
                        std::uint64_t size) {
    return RdRuns::prepare(std::make_shared<RdRuns>(
        device, input == kRdTexture ? made_rd_clip(device, size) : read_rd_clip(input, size)));
  };
  return {workload};
}

}  // namespace millrace::tools
