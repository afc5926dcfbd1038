// SPDX-License-Identifier: Apache-2.0

// The loops in which reconstruction spends most of its time, shared by the lanes that work on a
// macroblock: the threads of a warp, or one thread of a CPU.
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_LANE_KERNELS_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_LANE_KERNELS_H_

#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/h264/reconstruction/deblocking_filter.h>
#include <millrace/algorithms/h264/reconstruction/inter_prediction.h>
#include <millrace/algorithms/h264/reconstruction/intra_prediction.h>
#include <millrace/algorithms/h264/reconstruction/luma_window.h>
#include <millrace/algorithms/h264/reconstruction/residual.h>
#include <millrace/algorithms/h264/reconstruction/weighted_prediction.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Memory that the lanes of a macroblock share.
struct KernelMemory {
  // Samples around a block beyond the plane (rows_at()), and a block predicted from list 1.
  struct Prediction {
    BorderedBlock bordered;
    std::uint8_t second[16 * 16];  // A block predicted from list 1.
  };
  union {
    Prediction prediction;
    LumaWindowMemory window;
    // Copies of the macroblocks on both sides of edges that several lanes deblock: this one, that
    // to the left and that above.
    alignas(16) std::byte sides[3][sizeof(Macroblock)];
  };
  alignas(16) std::byte macroblock[sizeof(Macroblock)];  // See shared_macroblock().
  IntraEdge<16> edges[2];  // Before and after it is filtered; of smaller blocks, too.
  // bS of each segment of an edge, by direction, vertical edges first, and edge.
  alignas(4) std::uint8_t strengths[2][4][4];
};

// All lanes call each function with the same arguments, except lane() and lanes(). `Lanes` has
// lane(), lanes() and sync() of a Context (runtime/tasks/task.h). What one call writes, the same
// lane reads in a call for a block of the same size; other lanes read it after sync(). Blocks of
// luma are 4, 8 or 16 samples wide and high, those of chroma 2, 4 or 8.
template <class Lanes>
class LaneKernels {
 public:
  // Both arguments must outlive it.
  MILLRACE_FUNCTION LaneKernels(Lanes& lanes, KernelMemory& memory)
      : lanes_(lanes), memory_(memory) {}

  MILLRACE_FUNCTION int lane() const { return lanes_.lane(); }
  MILLRACE_FUNCTION int lanes() const { return lanes_.lanes(); }
  MILLRACE_FUNCTION void sync() const { lanes_.sync(); }
  MILLRACE_FUNCTION KernelMemory& memory() const { return memory_; }

  // Returns a macroblock in memory that lanes share, where they find its members faster than in
  // memory of the device; a lane alone reads it where it is. Valid until the next call.
  MILLRACE_FUNCTION const Macroblock& shared_macroblock(const Macroblock* macroblock) const {
    if (lanes() == 1) return *macroblock;
    copy_words<sizeof(Macroblock) / 4>(macroblock, memory_.macroblock);
    sync();
    return *reinterpret_cast<const Macroblock*>(memory_.macroblock);
  }

  // Copies words from memory of the device, each in one lane. All are loaded before any is stored,
  // so that the loads' latencies overlap.
  template <int words>
  MILLRACE_FUNCTION void copy_words(const void* from, void* to) const {
    constexpr int kAtOnce = kLeastLanes;
    constexpr int kMost = (words + kAtOnce - 1) / kAtOnce;
    std::uint32_t loaded[kMost];
    MILLRACE_SMALL_LOOP
    for (int begin = lane(); begin < words; begin += kMost * lanes()) {
      MILLRACE_UNROLLED_LOOP
      for (int k = 0; k < kMost; ++k) {
        const int i = begin + k * lanes();
        loaded[k] = i < words ? static_cast<const std::uint32_t*>(from)[i] : 0;
      }
      MILLRACE_UNROLLED_LOOP
      for (int k = 0; k < kMost; ++k) {
        const int i = begin + k * lanes();
        if (i < words) static_cast<std::uint32_t*>(to)[i] = loaded[k];
      }
    }
  }

  // Calls do_sample(row, column) for the samples of a block, each in one lane. The width is a power
  // of two, 2 to 16.
  template <class DoSample>
  MILLRACE_FUNCTION void for_each_sample(int width, int height, const DoSample& do_sample) const {
    if (lanes() == 1) {
      for (int row = 0; row < height; ++row) {
        for (int column = 0; column < width; ++column) do_sample(row, column);
      }
      return;
    }
    const int shift = width == 16 ? 4 : width == 8 ? 3 : width == 4 ? 2 : 1;
    MILLRACE_SMALL_LOOP
    for (int i = lane(); i < height << shift; i += lanes()) {
      do_sample(i >> shift, i & (width - 1));
    }
  }

  // Predicts a block of luma whose samples are (x, y) quarters from those at `from`.
  MILLRACE_NOINLINE_FUNCTION void predict_luma(SampleRows from, int x, int y,
                                               BlockSamples to) const {
    for_each_sample(to.width, to.height, [=](int row, int column) {
      to.samples[row * to.stride + column] = static_cast<std::uint8_t>(
          luma_sample(from.samples + row * from.stride + column, from.stride, x, y));
    });
  }

  // Predicts a block of chroma whose samples are (x, y) eighths from those at `from`.
  MILLRACE_NOINLINE_FUNCTION void predict_chroma(SampleRows from, int x, int y,
                                                 BlockSamples to) const {
    for_each_sample(to.width, to.height, [=](int row, int column) {
      to.samples[row * to.stride + column] = static_cast<std::uint8_t>(
          chroma_sample(from.samples + row * from.stride + column, from.stride, x, y));
    });
  }

  // Weighs a block that is predicted from the reference of list `list` alone.
  MILLRACE_NOINLINE_FUNCTION void weigh(const BlockWeights& weights, int list,
                                        BlockSamples to) const {
    for_each_sample(to.width, to.height, [&](int row, int column) {
      std::uint8_t& sample = to.samples[row * to.stride + column];
      sample = weighted_sample(weights, list, sample);
    });
  }

  // Combines the prediction from list 0, at `to`, with that from list 1, in rows of 16.
  MILLRACE_NOINLINE_FUNCTION void combine(const BlockWeights& weights, const std::uint8_t* second,
                                          BlockSamples to) const {
    for_each_sample(to.width, to.height, [&](int row, int column) {
      std::uint8_t& sample = to.samples[row * to.stride + column];
      const std::uint8_t other = second[16 * row + column];
      sample = weights.is_default ? mean_sample(sample, other)
                                  : weighted_sample_of_two(weights, sample, other);
    });
  }

  // Returns the edge of the n x n block at `block`, valid until the next call; sync() is needed
  // before another lane writes what it reads.
  template <int n>
  MILLRACE_NOINLINE_FUNCTION const IntraEdge<n>& load_edge(const std::uint8_t* block,
                                                           std::ptrdiff_t stride,
                                                           IntraAvailability available) const {
    IntraEdge<n>& edge = edge_at<n>(0);
    if (lanes() == 1) {
      edge = load_intra_edge<n>(block, stride, available);
      return edge;
    }
    sync();  // Lanes may still read what it has.
    MILLRACE_SMALL_LOOP
    for (int i = lane(); i < 3 * n + 2; i += lanes()) {
      edge.line[i] = edge_sample<n>(block, stride, available, i);
    }
    if (lane() == 0) edge.available = available;
    sync();
    return edge;
  }

  // Returns filter_intra_edge() of an edge that load_edge() has returned.
  MILLRACE_NOINLINE_FUNCTION const IntraEdge<8>& filter_edge(const IntraEdge<8>& edge) const {
    IntraEdge<8>& filtered = edge_at<8>(1);
    for (int i = lane(); i < 26; i += lanes()) filtered.line[i] = filtered_edge_sample(edge, i);
    if (lane() == 0) filtered.available = edge.available;
    sync();
    return filtered;
  }

  // Predicts an n x n block, 4x4 or 8x8, from its edge.
  template <int n>
  MILLRACE_NOINLINE_FUNCTION void predict_intra(const IntraEdge<n>& edge, int mode,
                                                std::uint8_t* block, std::ptrdiff_t stride) const {
    const int dc = mode == kIntraDc ? intra_dc(edge) : 0;
    for_each_sample(n, n, [&](int y, int x) {
      block[y * stride + x] =
          static_cast<std::uint8_t>(mode == kIntraDc ? dc : intra_sample(edge, mode, x, y));
    });
  }

  // Adds the residual of an n x n block to its prediction in one lane, that which calls it; rows of
  // coefficients are at a distance of `pitch`.
  template <int n, int pitch>
  MILLRACE_NOINLINE_FUNCTION void add_residual(const std::int16_t* coefficients,
                                               std::uint8_t* block, std::ptrdiff_t stride) const {
    if (lanes() > 1) {
      add_block_residual_by_words<n, pitch>(coefficients, block, stride);
    } else {
      add_block_residual<n, pitch>(coefficients, block, stride);
    }
  }

  // Filters an edge of 16 samples of luma. `across` is the step over the edge, `along` the step to
  // the next sample of it; `first` is the first sample on the right of or below the edge. A lane
  // filters the same lines of all edges of one direction.
  MILLRACE_FUNCTION void filter_luma(const EdgeFilter& filter, std::uint8_t* first,
                                     std::ptrdiff_t across, std::ptrdiff_t along) const {
    for (int i = lane(); i < 16; i += lanes()) {
      if (filter.strengths[i / 4] == 0) continue;
      filter_luma_sample(line_filter(filter, i / 4), first + i * along, across);
    }
  }

  // The same of an edge of 8 samples of chroma.
  MILLRACE_FUNCTION void filter_chroma(const EdgeFilter& filter, std::uint8_t* first,
                                       std::ptrdiff_t across, std::ptrdiff_t along) const {
    for (int i = lane(); i < 8; i += lanes()) {
      if (filter.strengths[i / 2] == 0) continue;
      filter_chroma_sample(line_filter(filter, i / 2), first + i * along, across);
    }
  }

 private:
  template <int n>
  MILLRACE_FUNCTION IntraEdge<n>& edge_at(int index) const {
    static_assert(sizeof(IntraEdge<n>) <= sizeof(IntraEdge<16>));
    return *reinterpret_cast<IntraEdge<n>*>(&memory_.edges[index]);
  }

  Lanes& lanes_;
  KernelMemory& memory_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_LANE_KERNELS_H_
