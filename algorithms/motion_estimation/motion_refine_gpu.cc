// The refinement of vectors on GPUs: a thread for each 4x4 block of the partitions of one size.
#include <millrace/algorithms/motion_estimation/motion_refine_gpu.h>
#include <millrace/algorithms/motion_estimation/motion_refine_gpu_samples.h>
#include <millrace/algorithms/motion_estimation/motion_refine_gpu_satd.h>
#include <millrace/algorithms/motion_estimation/motion_search_gpu.h>
#include <millrace/algorithms/motion_estimation/partition.h>
#include <millrace/backends/gpu/api.h>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {
namespace {

using motion::PartitionSize;
using motion::Precision;

// Blocks of 4x4 samples, in a macroblock.
constexpr int kBlocksPerRow = kMacroblockWidth / 4;
constexpr int kBlocks = kBlocksPerRow * kBlocksPerRow;

// 3 x 3 vectors, in raster order.
constexpr int kCandidates = 9;

// A number for each size of partitions, in a byte each.
template <class Function>
constexpr std::uint64_t bytes_by_size(const Function& function) {
  std::uint64_t bytes = 0;
  for (int size = 0; size < motion::kPartitionSizes; ++size) {
    bytes |= static_cast<std::uint64_t>(function(static_cast<PartitionSize>(size))) << (8 * size);
  }
  return bytes;
}

MILLRACE_FUNCTION constexpr int of_size(std::uint64_t bytes, int size) {
  return static_cast<int>(bytes >> (8 * size) & 0xff);
}

// The partition that a lane's block belongs to; all lanes of a warp have one size.
struct BlockPlace {
  MILLRACE_FUNCTION BlockPlace(int size, int block)
      : x(block % kBlocksPerRow), y(block / kBlocksPerRow) {
    constexpr std::uint64_t kWidths = bytes_by_size(
        [](PartitionSize one) { return std::countr_zero(motion::partition_width(one) / 4u); });
    constexpr std::uint64_t kHeights = bytes_by_size(
        [](PartitionSize one) { return std::countr_zero(motion::partition_height(one) / 4u); });
    constexpr std::uint64_t kFirsts =
        bytes_by_size([](PartitionSize one) { return motion::first_partition(one); });
    const int width_bits = of_size(kWidths, size);
    const int height_bits = of_size(kHeights, size);
    width = 1 << width_bits;
    height = 1 << height_bits;
    partition = of_size(kFirsts, size) + (y >> height_bits) * (kBlocksPerRow >> width_bits) +
                (x >> width_bits);
  }

  MILLRACE_FUNCTION bool is_first() const {
    return (x & (width - 1)) == 0 && (y & (height - 1)) == 0;
  }

  // Each over the partition's blocks; all lanes call.
  template <int kCount>
  MILLRACE_FUNCTION void sum(std::uint32_t (&values)[kCount]) const {
    if (width > 1) add_lanes(values, 1);
    if (width > 2) add_lanes(values, 2);
    if (height > 1) add_lanes(values, kBlocksPerRow);
    if (height > 2) add_lanes(values, 2 * kBlocksPerRow);
  }

  template <int kCount>
  MILLRACE_FUNCTION static void add_lanes(std::uint32_t (&values)[kCount], int mask) {
    for (std::uint32_t& value : values) value += shuffle_xor(value, mask);
  }

  int width;
  int height;
  int x;
  int y;
  int partition;
};

// A vector in quarter samples and its J.
struct Choice {
  int x;
  int y;
  std::uint32_t cost;
};

// The rates of nine vectors around one, `step` quarter samples apart.
struct Rates {
  MILLRACE_FUNCTION Rates(int lambda, const MotionVector& predictor, int vector_x, int vector_y,
                          int step) {
    for (int i = 0; i < 3; ++i) {
      x[i] = lambda * bits_of_difference(vector_x + (i - 1) * step - predictor.x);
      y[i] = lambda * bits_of_difference(vector_y + (i - 1) * step - predictor.y);
    }
  }

  // Of candidate `i` in raster order: the key, J in 28 bits and then i.
  MILLRACE_FUNCTION std::uint32_t key(int i, std::uint32_t distortion) const {
    return key_of(i, 32 * distortion + static_cast<std::uint32_t>(x[i % 3] + y[i / 3]));
  }
  MILLRACE_FUNCTION static std::uint32_t key_of(int i, std::uint32_t cost) {
    return cost << 4 | static_cast<std::uint32_t>(i);
  }

  int x[3];
  int y[3];
};

MILLRACE_FUNCTION std::uint32_t smaller(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }

// What a key says about the candidates around a vector.
MILLRACE_FUNCTION Choice chosen(std::uint32_t key, int vector_x, int vector_y, int step) {
  const int i = static_cast<int>(key & 15);
  return {vector_x + (i % 3 - 1) * step, vector_y + (i / 3 - 1) * step, key >> 4};
}

template <class Sample>
struct RefineVectors {
  static constexpr int kMostThreads = HalfSamples<Sample>::kThreads;
  [[maybe_unused]] static constexpr int kWantedBlocks = 4;

  KernelFrame<Sample> frame;
  MotionField field;
  MacroblockRange range;
  int lambda;
  Precision precision;

  MILLRACE_FUNCTION void operator()() const {
    const int warp =
        block_index() * (block_threads() / warp_width()) + thread_index() / warp_width();
    const int macroblocks_of_warp = warp_width() / kBlocks;
    const int first = warp / motion::kPartitionSizes * macroblocks_of_warp;
    if (first >= range.count) return;
    // Lanes beyond the last macroblock do its work once more.
    const int own = first + lane_index() / kBlocks;
    const bool is_there = own < range.count;
    refine(range.first + (is_there ? own : range.count - 1),
           BlockPlace(warp % motion::kPartitionSizes, lane_index() % kBlocks), is_there);
  }

  MILLRACE_FUNCTION void refine(int macroblock, const BlockPlace& block, bool is_there) const {
    const std::size_t place = MotionField::index(macroblock, block.partition);
    const MotionVector whole = field.vectors[place];
    const MotionVector predictor = frame.predictor(macroblock);
    const MacroblockPlace at = frame.raster.place(macroblock);
    const int x = at.x + 4 * block.x;
    const int y = at.y + 4 * block.y;
    const SatdBlock<Sample> samples(block_at(frame.current, x, y));
    HalfSamples<Sample> half(reinterpret_cast<std::uint32_t*>(shared_memory()));
    half.interpolate(SamplePatch<Sample>(frame.reference, x + whole.x / 4, y + whole.y / 4));

    std::uint32_t distortions[kCandidates];
    for_constants<kCandidates>(
        [&](auto i) { distortions[i] = samples.satd(half.block(i % 3 - 1, i / 3 - 1)); });
    block.sum(distortions);
    const Rates rates(lambda, predictor, whole.x, whole.y, 2);
    std::uint32_t best = rates.key(0, distortions[0]);
    for (int i = 1; i < kCandidates; ++i) best = smaller(best, rates.key(i, distortions[i]));
    Choice choice = chosen(best, whole.x, whole.y, 2);
    if (precision == Precision::kQuarter) {
      choice = refine_by_quarters(samples, half, block, predictor, choice,
                                  {(choice.x - whole.x) / 2, (choice.y - whole.y) / 2});
    }
    sync_warp();  // All lanes have read the vector.
    if (!is_there || !block.is_first()) return;
    field.vectors[place] = {static_cast<std::int16_t>(choice.x),
                            static_cast<std::int16_t>(choice.y)};
    field.costs[place] = choice.cost;
  }

 private:
  // Half samples from the block's first at its whole vector.
  struct HalfPlace {
    int x;
    int y;
  };

  // A quarter sample is the mean of two half samples: of the next to the left and right, or above
  // and below, or on that diagonal which has one whole coordinate at each end (clause 8.4.2.2.1).
  MILLRACE_FUNCTION Choice refine_by_quarters(const SatdBlock<Sample>& samples,
                                              const HalfSamples<Sample>& half,
                                              const BlockPlace& block,
                                              const MotionVector& predictor, const Choice& centre,
                                              const HalfPlace& at) const {
    std::uint32_t distortions[kCandidates];
    const bool is_odd = ((at.x ^ at.y) & 1) != 0;
    SampleRow middle[4];
    half.get(at.x, at.y, middle);
    SampleRow vertical[5];
    half.get(at.x, at.y - 1, vertical);
    distortions[1] = samples.satd(mean_of<Sample>(middle, vertical));
    distortions[7] = samples.satd(mean_of<Sample>(middle, vertical + 1));
    for_constants<2>([&](auto side) {
      constexpr int kX = 2 * side - 1;
      SampleRow beside[4];
      half.get(at.x + kX, at.y, beside);
      distortions[4 + kX] = samples.satd(mean_of<Sample>(middle, beside));
      SampleRow diagonal[5];
      half.get(is_odd ? at.x + kX : at.x, at.y - 1, diagonal);
      SampleRow other_end[4];
      for (int row = 0; row < 4; ++row) other_end[row] = is_odd ? middle[row] : beside[row];
      distortions[1 + kX] = samples.satd(mean_of<Sample>(other_end, diagonal));
      distortions[7 + kX] = samples.satd(mean_of<Sample>(other_end, diagonal + 1));
    });
    distortions[4] = 0;
    block.sum(distortions);
    const Rates rates(lambda, predictor, centre.x, centre.y, 1);
    std::uint32_t best = Rates::key_of(kCandidates / 2, centre.cost);
    for (int i = 0; i < kCandidates; ++i) {
      if (i != kCandidates / 2) best = smaller(best, rates.key(i, distortions[i]));
    }
    return chosen(best, centre.x, centre.y, 1);
  }
};

}  // namespace

template <class Sample>
void refine_field(Stream stream, int warp_width, const KernelFrame<Sample>& frame,
                  const MotionField& field, const MacroblockRange& range,
                  const SearchOptions& options) {
  using Body = RefineVectors<Sample>;
  const int per_warp = warp_width / kBlocks;
  const int warps = (range.count + per_warp - 1) / per_warp * motion::kPartitionSizes;
  const int warps_of_block = Body::kMostThreads / warp_width;
  gpu::LaunchShape shape;
  shape.blocks = (warps + warps_of_block - 1) / warps_of_block;
  shape.threads = Body::kMostThreads;
  shape.shared_bytes = HalfSamples<Sample>::kBlockBytes;
  launch(&body_kernel<Body>, shape, stream,
         Body{frame, field, range, options.lambda, options.precision});
}

template void refine_field(Stream, int, const KernelFrame<std::uint8_t>&, const MotionField&,
                           const MacroblockRange&, const SearchOptions&);
template void refine_field(Stream, int, const KernelFrame<std::uint16_t>&, const MotionField&,
                           const MacroblockRange&, const SearchOptions&);

}  // namespace millrace::MILLRACE_GPU
