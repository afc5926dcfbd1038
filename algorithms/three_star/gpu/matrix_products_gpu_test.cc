// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/gpu/matrix_products_gpu.h>
#include <millrace/backends/gpu/gpu_test.h>
#include <millrace/tests/random/seeded_random.h>

#include <array>
#include <cstdint>

namespace millrace::MILLRACE_GPU {
namespace {

// Integers, for which halves are exact; read and written by one warp.
struct Matrices {
  float first[16][8];
  float second[8][8];
  float sums[16][8];
};

struct AddProducts {
  static constexpr int kMaxThreads = kMatrixLanes;
  [[maybe_unused]] static constexpr int kTargetBlocks = 1;

  Matrices* matrices;

  MILLRACE_FUNCTION void operator()() const {
    Matrices& all = *matrices;
    const int row = lane_index() / 4;
    const int pair = lane_index() % 4 * 2;
    float sums[4];
    for (int i = 0; i < 4; ++i) sums[i] = all.sums[row + i / 2 * 8][pair + i % 2];
    add_products(sums, halves_of(all.first[row][pair], all.first[row][pair + 1]),
                 halves_of(all.first[row + 8][pair], all.first[row + 8][pair + 1]),
                 halves_of(all.second[pair][row], all.second[pair + 1][row]));
    for (int i = 0; i < 4; ++i) all.sums[row + i / 2 * 8][pair + i % 2] = sums[i];
  }
};

// Rounds numbers to halves, a lane each.
struct RoundNumbers {
  static constexpr int kMaxThreads = kMatrixLanes;
  [[maybe_unused]] static constexpr int kTargetBlocks = 1;

  float* numbers;

  MILLRACE_FUNCTION void operator()() const {
    float& number = numbers[lane_index()];
    const std::uint32_t halves = halves_of(number, -number);
    number = low_half(halves) == -high_half(halves) ? low_half(halves) : 0;
  }
};

class MatrixProductsTest : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    if (!kHasMatrixProducts || device->properties().warp_width != kMatrixLanes) {
      GTEST_SKIP() << "for warps of other widths";
    }
  }

  template <class Body>
  void run(const Body& body) {
    const gpu::LaunchShape shape = {.blocks = 1, .threads = kMatrixLanes};
    queue->enqueue([&] { launch(body_kernel<Body>, shape, queue->stream(), body); },
                   GpuQueue::Start::kInline, "products");
    queue->wait();
  }

  SeededRandom random;
};

TEST_F(MatrixProductsTest, AreAddedToWhatIsThere) {
  Buffer<Matrices> buffer(queue->device().pool(MemorySpace::kPinned), 1);
  Matrices& matrices = *buffer.data();
  const auto number = [this](std::uint64_t most) {
    return static_cast<float>(random(0, 2 * most)) - static_cast<float>(most);
  };
  float expected[16][8] = {};
  for (auto& row : matrices.first) {
    for (float& of_first : row) of_first = number(2048);
  }
  for (auto& row : matrices.second) {
    for (float& of_second : row) of_second = number(256);
  }
  for (int row = 0; row < 16; ++row) {
    for (int column = 0; column < 8; ++column) {
      float& sum = expected[row][column];
      sum = matrices.sums[row][column] = number(1 << 20);
      for (int i = 0; i < 8; ++i) sum += matrices.first[row][i] * matrices.second[i][column];
    }
  }
  run(AddProducts{buffer.data()});
  for (int row = 0; row < 16; ++row) {
    for (int column = 0; column < 8; ++column) {
      EXPECT_EQ(matrices.sums[row][column], expected[row][column]) << row << ", " << column;
    }
  }
}

TEST_F(MatrixProductsTest, HalvesAreRoundedToTheNearest) {
  constexpr std::array<std::array<float, 2>, 8> kNumbers = {{{0, 0},
                                                             {2047, 2047},
                                                             {2049, 2048},
                                                             {2051, 2052},
                                                             {65504, 65504},
                                                             {0x1p-24F, 0x1p-24F},
                                                             {0x1.8p-24F, 0x1p-23F},
                                                             {0x1.ffcp-15F, 0x1p-14F}}};
  Buffer<float> numbers(queue->device().pool(MemorySpace::kPinned), kMatrixLanes);
  for (int i = 0; i < kMatrixLanes; ++i) numbers.data()[i] = kNumbers[i % kNumbers.size()][0];
  run(RoundNumbers{numbers.data()});
  for (int i = 0; i < kMatrixLanes; ++i) {
    EXPECT_EQ(numbers.data()[i], kNumbers[i % kNumbers.size()][1]) << i;
  }
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU
