// SPDX-License-Identifier: Apache-2.0

// Deblocking of one macroblock: which edges are filtered, and how strongly (ITU-T H.264 clauses 8.7
// and 8.7.2.1).
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_DEBLOCKING_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_DEBLOCKING_H_

#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/h264/reconstruction/deblocking_filter.h>
#include <millrace/algorithms/h264/reconstruction/predict_inter.h>
#include <millrace/algorithms/h264/reconstruction/views/picture_view.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// The pictures and vectors from which a 4x4 block is predicted.
struct BlockPrediction {
  std::int32_t pictures[2];
  MotionVector vectors[2];
};

MILLRACE_FUNCTION inline BlockPrediction block_prediction(const SliceView& slice,
                                                          const Macroblock& macroblock, int block) {
  BlockPrediction motion;
  for (int list = 0; list < 2; ++list) {
    const int index = macroblock.references[list][2 * (block / 8) + block % 4 / 2];
    const bool is_used = index >= 0;
    motion.pictures[list] = is_used ? slice.reference(list, index).identity : kNoPicture;
    motion.vectors[list] = is_used ? macroblock.vectors[list][block] : MotionVector{};
  }
  return motion;
}

// Returns true if vectors differ by a whole luma sample or more.
MILLRACE_FUNCTION inline bool are_far(MotionVector a, MotionVector b) {
  return distance(a.x, b.x) >= 4 || distance(a.y, b.y) >= 4;
}

// Returns true if blocks are predicted from different pictures, from another number of them, or by
// vectors that are far from each other. It does not matter which list a picture is of.
MILLRACE_FUNCTION inline bool is_motion_different(const BlockPrediction& p,
                                                  const BlockPrediction& q) {
  const bool is_straight = p.pictures[0] == q.pictures[0] && p.pictures[1] == q.pictures[1] &&
                           !are_far(p.vectors[0], q.vectors[0]) &&
                           !are_far(p.vectors[1], q.vectors[1]);
  const bool is_crossed = p.pictures[0] == q.pictures[1] && p.pictures[1] == q.pictures[0] &&
                          !are_far(p.vectors[0], q.vectors[1]) &&
                          !are_far(p.vectors[1], q.vectors[0]);
  return !is_straight && !is_crossed;
}

// One side of an edge.
struct EdgeSide {
  const SliceView* slice;
  const Macroblock* macroblock;
};

// Returns true if blocks of one slice have the same references and near vectors, as most have. Does
// not read the pictures.
MILLRACE_FUNCTION inline bool is_motion_plainly_equal(const EdgeSide& p, int p_block,
                                                      const EdgeSide& q, int q_block) {
  if (p.slice != q.slice) return false;
  const int p_quarter = 2 * (p_block / 8) + p_block % 4 / 2;
  const int q_quarter = 2 * (q_block / 8) + q_block % 4 / 2;
  for (int list = 0; list < 2; ++list) {
    if (p.macroblock->references[list][p_quarter] != q.macroblock->references[list][q_quarter] ||
        are_far(p.macroblock->vectors[list][p_block], q.macroblock->vectors[list][q_block])) {
      return false;
    }
  }
  return true;
}

MILLRACE_FUNCTION inline bool has_coefficients(const EdgeSide& side, int block) {
  return (side.macroblock->coded_blocks >> block & 1) != 0;
}

// Returns bS, 0 or 1, between 4x4 block `p_block` of p and `q_block` of q, both of inter
// macroblocks and without coefficients.
MILLRACE_FUNCTION inline std::uint8_t motion_strength(const EdgeSide& p, int p_block,
                                                      const EdgeSide& q, int q_block) {
  if (is_motion_plainly_equal(p, p_block, q, q_block)) return 0;
  const bool is_different = is_motion_different(block_prediction(*p.slice, *p.macroblock, p_block),
                                                block_prediction(*q.slice, *q.macroblock, q_block));
  return is_different ? 1 : 0;
}

// Returns true if blocks on both sides of an edge inside of an inter macroblock may have different
// motion, as far as its partition says so.
MILLRACE_FUNCTION constexpr bool may_split_motion(MacroblockType type, bool is_vertical, int edge) {
  switch (type) {
    case MacroblockType::kInter16x16: return false;
    case MacroblockType::kInter16x8: return !is_vertical && edge == 2;
    case MacroblockType::kInter8x16: return is_vertical && edge == 2;
    default: return true;
  }
}

// Returns true if a macroblock is an inter one that has one motion.
MILLRACE_FUNCTION inline bool is_whole(const Macroblock& macroblock) {
  if (is_intra(macroblock.type)) return false;
  return macroblock.type == MacroblockType::kInter16x16 || has_one_motion(macroblock);
}

// QP of one side of an edge in a plane; that of a PCM macroblock is QP_Y = 0.
MILLRACE_FUNCTION inline int deblocking_qp(const EdgeSide& side, int plane) {
  const Macroblock& macroblock = *side.macroblock;
  const bool is_pcm = macroblock.type == MacroblockType::kPcm;
  if (plane == 0) return is_pcm ? 0 : macroblock.qp;
  // Chroma QP of Table 8-15 is the index itself below 30, which no offset exceeds.
  return is_pcm ? clip(0, 51, side.slice->chroma_qp_offsets[plane - 1])
                : macroblock.chroma_qp[plane - 1];
}

// The edges of one macroblock.
template <class Kernels>
class MacroblockDeblocking {
 public:
  MILLRACE_FUNCTION MacroblockDeblocking(const Kernels& kernels, const PictureView& picture,
                                         int column, int row)
      : kernels_(kernels),
        picture_(picture),
        column_(column),
        row_(row),
        q_(side(column, row)),
        is_whole_(kernels.lanes() == 1 && is_whole(*q_.macroblock)) {}

  MILLRACE_FUNCTION void operator()() {
    if (q_.macroblock->type == MacroblockType::kLost || q_.slice->deblocking == 1) return;
    if (kernels_.lanes() > 1) {
      deblock_in_lanes();
      return;
    }
    // Without coefficients and with one motion, edges inside have bS = 0.
    const bool has_inner_edges = !is_whole_ || (q_.macroblock->coded_blocks & 0xffff) != 0;
    filter_edges</*is_vertical=*/true>(has_inner_edges);
    filter_edges</*is_vertical=*/false>(has_inner_edges);
  }

 private:
  using PlaneThresholds = EdgeThresholds[3];

  MILLRACE_FUNCTION EdgeSide side(int column, int row) const {
    const Macroblock* const macroblock = &picture_.macroblocks[picture_.index(column, row)];
    return {&picture_.slices[macroblock->slice], macroblock};
  }

  // Returns true if the edge to neighbour p is filtered. A lost neighbour is not available.
  MILLRACE_FUNCTION static bool has_edge(const EdgeSide& p, const EdgeSide& q) {
    return p.macroblock->type != MacroblockType::kLost &&
           (q.slice->deblocking != 2 || p.macroblock->slice == q.macroblock->slice);
  }

  // Returns true if edges to p have the thresholds of edges inside of this macroblock.
  MILLRACE_FUNCTION bool has_same_qp(const EdgeSide& p) const {
    return deblocking_qp(p, 0) == deblocking_qp(q_, 0) &&
           deblocking_qp(p, 1) == deblocking_qp(q_, 1) &&
           deblocking_qp(p, 2) == deblocking_qp(q_, 2);
  }

  MILLRACE_FUNCTION void set_thresholds(const EdgeSide& p, PlaneThresholds& thresholds) const {
    for (int plane = 0; plane < 3; ++plane) {
      const int qp = (deblocking_qp(p, plane) + deblocking_qp(q_, plane) + 1) >> 1;
      thresholds[plane] = edge_thresholds(qp, q_.slice->alpha_offset, q_.slice->beta_offset);
    }
  }

  template <bool is_vertical>
  MILLRACE_FUNCTION void filter_edges(bool has_inner_edges) {
    const int position = is_vertical ? column_ : row_;
    if (position > 0) {
      const EdgeSide p = is_vertical ? side(column_ - 1, row_) : side(column_, row_ - 1);
      if (has_edge(p, q_)) filter_edge<is_vertical>(p, 0);
    }
    if (!has_inner_edges) return;
    const int step = q_.macroblock->has_8x8_transform ? 2 : 1;
    for (int edge = step; edge < 4; edge += step) filter_edge<is_vertical>(q_, edge);
  }

  // Filters edge `edge`, counted in 4x4 blocks of luma, in all planes that have it. Most edges of
  // inter pictures have no strength, so thresholds come after that.
  template <bool is_vertical>
  MILLRACE_FUNCTION void filter_edge(const EdgeSide& p, int edge) {
    EdgeFilter filter;
    set_strengths<is_vertical>(p, edge, filter);
    if (!(filter.strengths[0] | filter.strengths[1] | filter.strengths[2] | filter.strengths[3])) {
      return;
    }
    if (edge == 0 && !has_same_qp(p)) {
      PlaneThresholds outer;
      set_thresholds(p, outer);
      filter_planes<is_vertical>(filter, outer, edge);
    } else {
      if (!has_inner_) set_thresholds(q_, inner_);
      has_inner_ = true;
      filter_planes<is_vertical>(filter, inner_, edge);
    }
  }

  template <bool is_vertical>
  MILLRACE_FUNCTION void filter_planes(EdgeFilter& filter, const PlaneThresholds& thresholds,
                                       int edge) const {
    const int planes = edge % 2 == 0 ? 3 : 1;
    for (int plane = 0; plane < planes; ++plane) {
      if (thresholds[plane].has_effect()) {
        filter_plane<is_vertical>(filter, thresholds[plane], edge, plane);
      }
    }
  }

  template <bool is_vertical>
  MILLRACE_FUNCTION void set_strengths(const EdgeSide& p, int edge, EdgeFilter& filter) const {
    const bool has_intra = is_intra(p.macroblock->type) || is_intra(q_.macroblock->type);
    if (has_intra) {
      for (auto& strength : filter.strengths) strength = edge == 0 ? 4 : 3;
      return;
    }
    const bool has_motion =
        edge == 0 || (!is_whole_ && may_split_motion(q_.macroblock->type, is_vertical, edge));
    const bool has_one_strength = edge == 0 && is_whole_ && is_whole(*p.macroblock);
    const int q_first = is_vertical ? edge : 4 * edge;
    const int p_first = is_vertical ? (edge + 3) % 4 : 4 * ((edge + 3) % 4);
    const std::uint8_t first = has_one_strength ? motion_strength(p, p_first, q_, q_first) : 0;
    for (int i = 0; i < 4; ++i) {
      const int q_block = q_first + (is_vertical ? 4 * i : i);
      const int p_block = p_first + (is_vertical ? 4 * i : i);
      if (has_coefficients(p, p_block) || has_coefficients(q_, q_block)) {
        filter.strengths[i] = 2;
      } else if (has_motion && !has_one_strength) {
        filter.strengths[i] = motion_strength(p, p_block, q_, q_block);
      } else {
        filter.strengths[i] = first;
      }
    }
  }

  template <bool is_vertical>
  MILLRACE_FUNCTION void filter_plane(EdgeFilter& filter, const EdgeThresholds& thresholds,
                                      int edge, int plane) const {
    filter.alpha = thresholds.alpha;
    filter.beta = thresholds.beta;
    for (int i = 0; i < 4; ++i) filter.clipping[i] = thresholds.clipping[filter.strengths[i]];
    const std::ptrdiff_t stride = picture_.stride(plane);
    const std::ptrdiff_t across = is_vertical ? 1 : stride;
    const std::ptrdiff_t along = is_vertical ? stride : 1;
    std::uint8_t* const first = picture_.planes[plane] + picture_.offset(plane, column_, row_) +
                                (plane == 0 ? 4 : 2) * edge * across;
    if (plane == 0) {
      kernels_.filter_luma(filter, first, across, along);
    } else {
      kernels_.filter_chroma(filter, first, across, along);
    }
  }

  // The same in several lanes. They find the strengths of all edges at once, then filter all
  // vertical edges, then all horizontal ones.
  MILLRACE_FUNCTION void deblock_in_lanes() const {
    copy_sides();
    kernels_.sync();
    std::uint8_t* const strengths = &kernels_.memory().strengths[0][0][0];
    MILLRACE_SMALL_LOOP
    for (int i = kernels_.lane(); i < 32; i += kernels_.lanes()) {
      strengths[i] = strength_at(i / 16 == 0, i / 4 % 4, i % 4);
    }
    kernels_.sync();
    // Horizontal edges read what vertical ones have written.
    MILLRACE_SMALL_LOOP
    for (int direction = 0; direction < 2; ++direction) {
      const std::uint32_t* const of =
          reinterpret_cast<const std::uint32_t*>(strengths) + 4 * direction;
      if ((of[0] | of[1] | of[2] | of[3]) != 0) filter_direction(direction == 0, of);
      kernels_.sync();
    }
  }

  // The macroblocks whose copies lanes share.
  enum Side { kThis, kLeft, kAbove };

  // Copies what edges depend on: the words of each macroblock up to its vectors, and its coded
  // blocks. This macroblock stands for a neighbour outside of the picture.
  MILLRACE_FUNCTION void copy_sides() const {
    constexpr int kWords = offsetof(Macroblock, differences) / 4;
    constexpr int kMost = (kWords + kLeastLanes - 1) / kLeastLanes;
    constexpr int kCoded = offsetof(Macroblock, coded_blocks) / 4;
    const int index = picture_.index(column_, row_);
    const auto words_of = [this](int of) {
      return reinterpret_cast<const std::uint32_t*>(&picture_.macroblocks[of]);
    };
    const std::uint32_t* const from[3] = {words_of(index),
                                          words_of(column_ > 0 ? index - 1 : index),
                                          words_of(row_ > 0 ? index - picture_.columns : index)};
    std::uint32_t loaded[3][kMost], coded[3];
    // All words are loaded before any is stored: lanes that follow pointers in memory of the device
    // wait for each of them.
    MILLRACE_UNROLLED_LOOP
    for (int side = 0; side < 3; ++side) {
      MILLRACE_UNROLLED_LOOP
      for (int k = 0; k < kMost; ++k) {
        const int i = kernels_.lane() + k * kernels_.lanes();
        loaded[side][k] = i < kWords ? from[side][i] : 0;
      }
      coded[side] = from[side][kCoded];
    }
    MILLRACE_UNROLLED_LOOP
    for (int side = 0; side < 3; ++side) {
      auto* const to = reinterpret_cast<std::uint32_t*>(kernels_.memory().sides[side]);
      MILLRACE_UNROLLED_LOOP
      for (int k = 0; k < kMost; ++k) {
        const int i = kernels_.lane() + k * kernels_.lanes();
        if (i < kWords) to[i] = loaded[side][k];
      }
      if (kernels_.lane() == 0) to[kCoded] = coded[side];
    }
  }
  MILLRACE_FUNCTION EdgeSide copied_side(Side side) const {
    const auto* const macroblock =
        reinterpret_cast<const Macroblock*>(kernels_.memory().sides[side]);
    return {&picture_.slices[macroblock->slice], macroblock};
  }

  // Returns bS of a segment of an edge.
  MILLRACE_NOINLINE_FUNCTION std::uint8_t strength_at(bool is_vertical, int edge,
                                                      int segment) const {
    const EdgeSide q = copied_side(kThis);
    EdgeSide p = q;
    if (edge == 0) {
      if ((is_vertical ? column_ : row_) == 0) return 0;
      p = copied_side(is_vertical ? kLeft : kAbove);
      if (!has_edge(p, q)) return 0;
    } else if (q.macroblock->has_8x8_transform && edge % 2 == 1) {
      return 0;
    }
    if (is_intra(p.macroblock->type) || is_intra(q.macroblock->type)) return edge == 0 ? 4 : 3;
    const int q_block = is_vertical ? 4 * segment + edge : 4 * edge + segment;
    const int p_edge = (edge + 3) % 4;
    const int p_block = is_vertical ? 4 * segment + p_edge : 4 * p_edge + segment;
    if (has_coefficients(p, p_block) || has_coefficients(q, q_block)) return 2;
    const bool has_motion = edge == 0 || may_split_motion(q.macroblock->type, is_vertical, edge);
    return has_motion ? motion_strength(p, p_block, q, q_block) : 0;
  }

  // Filters the edges of one direction, whose strengths are given: four bytes for each edge. A lane
  // has one line across all of them, 16 of luma and 8 of each plane of chroma.
  MILLRACE_NOINLINE_FUNCTION void filter_direction(bool is_vertical,
                                                   const std::uint32_t* strengths) const {
    const EdgeSide q = copied_side(kThis);
    const EdgeSide p = copied_side(is_vertical ? kLeft : kAbove);
    const int alpha_offset = q.slice->alpha_offset;
    const int beta_offset = q.slice->beta_offset;
    MILLRACE_SMALL_LOOP
    for (int i = kernels_.lane(); i < 32; i += kernels_.lanes()) {
      const int plane = i < 16 ? 0 : i < 24 ? 1 : 2;
      const int line = plane == 0 ? i : i % 8;
      const int segment = line / (plane == 0 ? 4 : 2);
      const int inner_qp = deblocking_qp(q, plane);
      const int outer_qp = (deblocking_qp(p, plane) + inner_qp + 1) >> 1;
      const std::ptrdiff_t stride = picture_.stride(plane);
      const std::ptrdiff_t across = is_vertical ? 1 : stride;
      std::uint8_t* const first = picture_.planes[plane] + picture_.offset(plane, column_, row_) +
                                  line * (is_vertical ? stride : 1);
      MILLRACE_SMALL_LOOP
      for (int edge = 0; edge < 4; ++edge) {
        const int strength = static_cast<int>(strengths[edge] >> 8 * segment & 0xff);
        if (strength == 0 || (plane > 0 && edge % 2 == 1)) continue;
        const int qp = edge == 0 ? outer_qp : inner_qp;
        const int index = clip(0, 51, qp + alpha_offset);
        const LineFilter filter = {deblocking_alpha(index),
                                   deblocking_beta(clip(0, 51, qp + beta_offset)), strength,
                                   strength < 4 ? deblocking_clipping(index, strength) : 0};
        if (filter.alpha == 0 || filter.beta == 0) continue;
        filter_sample(filter, plane == 0, first + (plane == 0 ? 4 : 2) * edge * across, across);
      }
    }
  }

  const Kernels& kernels_;
  const PictureView& picture_;
  const int column_, row_;
  const EdgeSide q_;
  const bool is_whole_;    // False where several lanes filter.
  PlaneThresholds inner_;  // Once has_inner_.
  bool has_inner_ = false;
};

// Deblocks the edges of a macroblock to its left and top neighbours and inside of it. Those two and
// the neighbour to the upper right must be deblocked, and no prediction may follow that reads what
// this changes. All lanes of the kernels call it; what it writes is seen by a lane after sync().
template <class Kernels>
MILLRACE_FUNCTION inline void deblock_macroblock(const Kernels& kernels, const PictureView& picture,
                                                 int column, int row) {
  MacroblockDeblocking<Kernels>(kernels, picture, column, row)();
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_DEBLOCKING_H_
