// SPDX-License-Identifier: Apache-2.0

// Bit rate and quality of `millrace encode` at the QPs of the motion estimation paper, beside x264.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_RD_RD_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_RD_RD_WORKLOAD_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <string>
#include <vector>

namespace millrace::tools {

inline constexpr char kRateDistortion[] = "rd";

// The input that is a moving texture.
inline constexpr char kRdTexture[] = "moving-texture";

inline constexpr int kRdQps[] = {28, 32, 36, 40};
inline constexpr int kRdTimedQp = 32;

// The paper's settings; decisions by rate and distortion in each profile; the paper's settings with
// a search by hexagons; and the paper's with h264::DeviceWork::kPictures, on GPUs alone. All have
// groups of 12 pictures and one reference.
inline constexpr const char* kRdStrategies[] = {"paper",   "rd-baseline", "rd-main",
                                                "rd-high", "hexagon",     "paper+pictures"};

// x264 in baseline profile with its cheapest search, with full search, and with its decisions by
// rate and distortion; its medium preset in high profile; and its ultrafast preset. All are tuned
// for PSNR and have groups of at most 12 pictures and one reference. I pictures have the QP of P
// pictures, but for "x264 high", which leaves QPs and scene cuts to its preset.
inline constexpr const char* kRdPeers[] = {"x264 fast", "x264 esa5", "x264 subme7", "x264 high",
                                           "x264 ultrafast"};

// Names of values, beside kPictureWidth and kPictureHeight. Rates are in kbit/s; PSNRs are means of
// the pictures', of luma and as (4Y + U + V) / 6, and left out where a picture is coded without
// loss. The Bjontegaard delta rates, in percent by both PSNRs, are to the first strategy.
std::string rd_rate_name(int qp);
std::string rd_luma_name(int qp);
std::string rd_weighted_name(int qp);
inline constexpr char kRdLumaDelta[] = "BD-rate Y %";
inline constexpr char kRdWeightedDelta[] = "BD-rate YUV %";

// Timed is the encode at QP 32 from pictures in memory; x264's by as many threads as it chooses,
// though its rates and PSNRs are of one. The size is the number of pictures.
std::vector<Workload> rd_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_RD_RD_WORKLOAD_H_
