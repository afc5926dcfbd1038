// SPDX-License-Identifier: Apache-2.0

// Counts the bits of random macroblocks and compares them with those that are written.
#include <millrace/algorithms/h264/bitstream/writers/bit_writer.h>
#include <millrace/algorithms/h264/encoder/syntax/cabac_coder.h>
#include <millrace/algorithms/h264/encoder/syntax/cabac_estimator.h>
#include <millrace/algorithms/h264/encoder/syntax/cavlc_coder.h>
#include <millrace/algorithms/h264/encoder/syntax/slice_data_syntax.h>
#include <millrace/algorithms/h264/encoder/syntax/testing/written_stream.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_encoder.h>
#include <millrace/algorithms/h264/entropy/cavlc/bit_counter.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <random>
#include <vector>

namespace millrace::h264 {
namespace {

// Calls visit(header, slice, width, macroblocks) for each slice of random pictures.
template <class Visit>
void for_random_slices(bool is_cabac, int trials, const Visit& visit) {
  const unsigned seed = std::random_device{}();
  for (int trial = 0; trial < trials; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << " trial " << trial);
    const WrittenStream stream = random_stream(seed + static_cast<unsigned>(trial), is_cabac);
    for (const RandomPicture& picture : stream.pictures) {
      for (std::size_t n = 0; n < picture.slices.size(); ++n) {
        visit(
            picture.slices[n], slice_syntax(picture.slices[n], stream.parameters),
            stream.sequence.width_in_macroblocks,
            SliceMacroblocks{picture.macroblocks.data(), picture.levels.data(), picture.counts[n]});
      }
    }
  }
}

TEST(SyntaxCosts, CavlcCountsTheBitsOfEachMacroblock) {
  for_random_slices(false, 30,
                    [](const SliceHeader& header, const SliceSyntax& slice, int width,
                       const SliceMacroblocks& macroblocks) {
                      BitWriter writer;
                      CavlcCoder<BitWriter> coder(kCavlcCodes, writer);
                      std::vector<std::size_t> written;
                      write_slice_data(header, slice, width, macroblocks, coder,
                                       [&](int) { written.push_back(writer.position()); });
                      BitCounter counter;
                      CavlcCoder<BitCounter> counting_coder(kCavlcCodes, counter);
                      std::vector<std::size_t> counted;
                      write_slice_data(header, slice, width, macroblocks, counting_coder,
                                       [&](int) { counted.push_back(counter.position()); });
                      ASSERT_EQ(counted, written);
                      ASSERT_EQ(counter.position(), writer.position());
                    });
}

TEST(SyntaxCosts, CabacEstimatesTheBitsOfMacroblocks) {
  double all_estimated = 0;
  double all_written = 0;
  for_random_slices(
      true, 60,
      [&](const SliceHeader& header, const SliceSyntax& slice, int width,
          const SliceMacroblocks& macroblocks) {
        BitWriter writer;
        CabacEncoder encoder(writer, header.type, header.cabac_table, header.qp);
        CabacEstimator estimator(kCabacTables, kCabacCosts, encoder.states());
        CabacCoder<CabacEncoder> coder(kCabacTables, encoder);
        write_slice_data(header, slice, width, macroblocks, coder, [](int) {});
        CabacCoder<CabacEstimator> estimating_coder(kCabacTables, estimator);
        write_slice_data(header, slice, width, macroblocks, estimating_coder, [](int) {});
        // Both have coded the same bins.
        ASSERT_EQ(std::memcmp(&estimator.states(), &encoder.states(), sizeof(CabacStates)), 0);
        const double written = static_cast<double>(writer.position());
        const double estimated = estimator.cost() / double{CabacCosts::kOneBit};
        // Samples of I_PCM begin at whole bytes.
        int samples = 0;
        for (int k = 0; k < macroblocks.count; ++k) {
          const Macroblock& macroblock = macroblocks.macroblocks[header.first_macroblock + k];
          samples += macroblock.type == MacroblockType::kPcm ? 1 : 0;
        }
        ASSERT_NEAR(estimated, written, 0.01 * written + 8 + 8 * samples);
        all_estimated += estimated;
        all_written += written;
      });
  EXPECT_NEAR(all_estimated / all_written, 1, 0.005);
}

TEST(CabacCosts, AreThoseOfTheProbabilitiesOfStates) {
  EXPECT_EQ(kCabacCosts.bins[0], CabacCosts::kOneBit);
  EXPECT_EQ(kCabacCosts.bins[1], CabacCosts::kOneBit);
  for (int state = 0; state < 64; ++state) {
    const double p = 0.5 * std::pow(0.01875 / 0.5, state / 63.0);
    EXPECT_NEAR(kCabacCosts.bins[2 * state], CabacCosts::kOneBit * -std::log2(1 - p), 0.51);
    EXPECT_NEAR(kCabacCosts.bins[2 * state + 1], CabacCosts::kOneBit * -std::log2(p), 0.51);
  }
}

}  // namespace
}  // namespace millrace::h264
