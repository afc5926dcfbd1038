// SPDX-License-Identifier: Apache-2.0

// One macroblock as a slice codes it: its decisions, what they cost, and its coefficients.
// Clauses are those of ITU-T H.264 (08/2021).
#ifndef MILLRACE_ALGORITHMS_H264_MACROBLOCK_H_
#define MILLRACE_ALGORITHMS_H264_MACROBLOCK_H_

#include <millrace/algorithms/motion_estimation/motion_vector.h>

#include <cstdint>

namespace millrace::h264 {

using motion::MotionVector;

enum class MacroblockType : std::uint8_t {
  kIntra4x4,
  kIntra8x8,
  kIntra16x16,
  kPcm,
  kInter16x16,
  kInter16x8,
  kInter8x16,
  kInter8x8,
  kDirect,  // B_Direct_16x16: direct, and its coefficients are coded.
  kSkip,    // P_Skip or B_Skip; the latter is direct as well.
  kLost,    // No slice that arrived has this macroblock.
};

// Partition of one 8x8 block of a kInter8x8 macroblock.
enum class SubPartition : std::uint8_t { k8x8, k8x4, k4x8, k4x4, kDirect };

constexpr bool is_intra(MacroblockType type) { return type <= MacroblockType::kPcm; }

// Classes of the syntax elements that a macroblock's bits code.
enum class SyntaxClass : std::uint8_t {
  kTypes,    // Skip runs and flags, types, partitions, reference indices, intra modes, coded block
             // pattern, transform size and QP.
  kVectors,  // Vector differences.
  kLuma,     // Luma coefficients, their coded block flags, and PCM samples of luma.
  kChroma,   // The same of both chroma components.
};
inline constexpr int kSyntaxClasses = 4;

// Decisions of one macroblock. 4x4 blocks are counted in raster order: block 4 * y + x has its top
// left sample at (4x, 4y); 8x8 blocks likewise, 2 * y + x.
struct Macroblock {
  MacroblockType type = MacroblockType::kLost;
  bool has_8x8_transform = false;
  std::uint8_t coded_block_pattern = 0;  // Bits 0 to 3: 8x8 blocks of luma. Bits 4 and 5: chroma,
                                         // 0 none, 1 DC alone, 2 DC and AC.
  std::uint8_t qp = 0;                   // QP_Y, 0 to 51; inherited where none is coded.
  std::uint8_t chroma_qp[2] = {};        // QP_C of Cb and Cr, 0 to 39.
  std::uint8_t intra_chroma_mode = 0;    // Table 8-5.
  std::uint16_t slice = 0;               // Index into ParsedPicture::slices.
  std::uint8_t intra_modes[16] = {};     // By 4x4 block (Table 8-2); an 8x8 block's 4 times
                                         // (Table 8-3); kIntra16x16: intra_modes[0] (Table 8-4).
  SubPartition sub_partitions[4] = {};
  // Indexed by list and 8x8 block.
  std::int8_t references[2][4] = {{-1, -1, -1, -1}, {-1, -1, -1, -1}};
  // Indexed by list and 4x4 block; zero where no reference is. GPUs read and write whole words.
  alignas(4) MotionVector vectors[2][16] = {};
  MotionVector differences[2][16] = {};  // Coded difference, at each block of the partition.
  // 4x4 blocks that have coefficients that are not 0: bits 0 to 15 luma, 16 to 19 Cb, 20 to 23 Cr.
  // All four bits of an 8x8 transform block are equal. For kIntra16x16 the DC does not count, nor
  // does chroma's DC: what neighbours' nC and deblocking see (clauses 9.2.1 and 8.7.2.1).
  std::uint32_t coded_blocks = 0;
  std::uint32_t bits[kSyntaxClasses] = {};

  friend bool operator==(const Macroblock&, const Macroblock&) = default;
};

// A rectangle of 4x4 blocks of a macroblock that have the same references and vectors.
struct MotionBlock {
  int x, y;  // The first 4x4 block's, 0 to 3.
  int width, height;
};

// All coefficients of one macroblock as the residual process takes them: dequantised, the DC of
// kIntra16x16 and of chroma through its Hadamard transform (clauses 8.5.1 to 8.5.13). For kPcm: the
// samples.
struct MacroblockCoefficients {
  std::int16_t luma[256] = {};      // Laid out as idct::coefficient_index().
  std::int16_t chroma[2][64] = {};  // Cb, Cr: coefficient c_ij of 4x4 block (bx, by) at
                                    // 8 * (4 * by + j) + 4 * bx + i.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_MACROBLOCK_H_
