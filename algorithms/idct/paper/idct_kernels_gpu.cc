// SPDX-License-Identifier: Apache-2.0

// The kernels of idct_strategies.h.
#include <millrace/algorithms/idct/idct_cooperative.h>
#include <millrace/algorithms/idct/paper/launch_kernel_op.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/internal/op_table.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace millrace::MILLRACE_GPU {
namespace {

using idct::Access;
using idct::EightSamples;
using idct::KernelGrid;
using idct::KernelLaunch;
using idct::KernelTypes;
using idct::kMacroblockSamples;
using idct::kMacroblockWidth;
using idct::kOctets;
using idct::PackedSamples;
using idct::RegisterInt16;
using idct::TransformScratch;
using idct::TransformSize;

// Arguments of a kernel.
struct Items {
  const TransformSize* sizes;
  const std::int16_t* coefficients;
  std::int16_t* residual;
  std::size_t count;
};

template <KernelTypes kTypes>
MILLRACE_FUNCTION bool is_4x4(const Items& items, std::size_t index) {
  if constexpr (kTypes == KernelTypes::kMixed) return items.sizes[index] == TransformSize::k4x4;
  return kTypes == KernelTypes::k4x4;
}

// Transforms one n x n block in the registers of one thread; `from` is in the layout of
// macroblock.h.
template <int n>
MILLRACE_FUNCTION void transform_block(const std::int16_t* from, std::int16_t* to) {
  RegisterInt16 block[n][n];
  for (int j = 0; j < n; ++j) {
    const auto row = *reinterpret_cast<const PackedSamples<n>*>(from + kMacroblockWidth * j);
    for (int i = 0; i < n; ++i) block[i][j].value = row.get(i);
  }
  for (int i = 0; i < n; ++i) idct::inverse_transform_1d(block[i]);
  for (int j = 0; j < n; ++j) {
    RegisterInt16 column[n];
    for (int i = 0; i < n; ++i) column[i] = block[i][j];
    column[0].value += 32;
    idct::inverse_transform_1d(column);
    for (int i = 0; i < n; ++i) block[i][j] = column[i] >> 6;
  }
  for (int i = 0; i < n; ++i) {
    PackedSamples<n> row;
    for (int k = 0; k < n / 2; ++k)
      row.set_pair(k, block[i][2 * k].value, block[i][2 * k + 1].value);
    *reinterpret_cast<PackedSamples<n>*>(to + kMacroblockWidth * i) = row;
  }
}

template <int n>
MILLRACE_FUNCTION void transform_block_of(const Items& items, std::size_t index, int block) {
  constexpr int kBlocksPerRow = kMacroblockWidth / n;
  const std::size_t first = kMacroblockSamples * index +
                            n * kMacroblockWidth * (block / kBlocksPerRow) +
                            n * (block % kBlocksPerRow);
  transform_block<n>(items.coefficients + first, items.residual + first);
}

template <KernelTypes kTypes>
inline constexpr int kThreadsPerMacroblock = kTypes == KernelTypes::k8x8 ? 4 : 16;

// The kernel of Access::kGlobal. In a mixed queue twelve of sixteen threads are idle for an 8x8
// macroblock, as in the paper.
template <KernelTypes kTypes>
MILLRACE_KERNEL void transform_in_global(Items items) {
  constexpr int kThreads = kThreadsPerMacroblock<kTypes>;
  const std::size_t stride = static_cast<std::size_t>(grid_blocks()) * block_threads() / kThreads;
  const std::size_t thread =
      static_cast<std::size_t>(block_index()) * block_threads() + thread_index();
  const int block = static_cast<int>(thread % kThreads);
  for (std::size_t index = thread / kThreads; index < items.count; index += stride) {
    if (is_4x4<kTypes>(items, index)) {
      transform_block_of<4>(items, index, block);
    } else if (block < 4) {
      transform_block_of<8>(items, index, block);
    }
  }
}

// The context that inverse_transform_cooperative() requires.
template <class Sync>
struct WarpLane {
  int index;
  int count;
  Sync sync;

  MILLRACE_FUNCTION int lane() const { return index; }
  MILLRACE_FUNCTION int lanes() const { return count; }
};

struct GlobalSource {
  const std::int16_t* coefficients;

  MILLRACE_FUNCTION EightSamples load(std::size_t index, int octet) const {
    return idct::eight_samples(coefficients + kMacroblockSamples * index + 8 * octet);
  }
};

// A texture has rows of this many macroblocks, or a single row: every device's textures are wide
// enough, and one of 65,000 rows holds 16 M.
inline constexpr std::size_t kMacroblocksPerRow = 256;

template <class TextureType>
struct TextureSource {
  TextureType coefficients;

  MILLRACE_FUNCTION EightSamples load(std::size_t index, int octet) const {
    const gpu::Vector16 found =
        fetch(coefficients, static_cast<int>(index % kMacroblocksPerRow) * kOctets + octet,
              static_cast<int>(index / kMacroblocksPerRow));
    return {{found.words[0], found.words[1], found.words[2], found.words[3]}};
  }
};

template <int n, class Lane>
MILLRACE_FUNCTION void transform_staged(const Lane& lane, const EightSamples& staged,
                                        TransformScratch& scratch, std::int16_t* residual) {
  idct::inverse_transform_cooperative<n>(
      lane, scratch, [&](int, std::int16_t* to) { idct::eight_samples(to) = staged; },
      [&](const std::int16_t* from, int octet) {
        idct::eight_samples(residual + 8 * octet) = idct::eight_samples(from);
      });
}

// The kernel of Access::kShared and Access::kSharedTexture. Each warp loads its next macroblock
// while it transforms one.
template <KernelTypes kTypes, class Source>
MILLRACE_KERNEL void transform_in_shared(Items items, Source source) {
  const int warps = block_threads() / warp_width();
  const int warp = thread_index() / warp_width();
  const auto sync = [] { sync_warp(); };
  const WarpLane<decltype(sync)> lane{lane_index(), warp_width(), sync};
  const int octet = lane.lane();
  TransformScratch& scratch = reinterpret_cast<TransformScratch*>(shared_memory())[warp];
  const std::size_t stride = static_cast<std::size_t>(grid_blocks()) * warps;
  std::size_t index = static_cast<std::size_t>(block_index()) * warps + warp;
  EightSamples next = {};
  bool next_is_4x4 = false;
  const auto load_next = [&](std::size_t at) {
    if (at >= items.count) return;
    next_is_4x4 = is_4x4<kTypes>(items, at);
    if (octet < kOctets) next = source.load(at, octet);
  };
  load_next(index);
  for (; index < items.count; index += stride) {
    const EightSamples staged = next;
    const bool staged_is_4x4 = next_is_4x4;
    load_next(index + stride);
    std::int16_t* const residual = items.residual + kMacroblockSamples * index;
    if (staged_is_4x4) {
      transform_staged<4>(lane, staged, scratch, residual);
    } else {
      transform_staged<8>(lane, staged, scratch, residual);
    }
  }
}

// Launches `kernel` with `threads_needed` threads for one iteration of its loop each.
template <class Kernel, class... Arguments>
void launch_over(GpuQueue& queue, Kernel kernel, KernelGrid grid, std::size_t threads_needed,
                 bool uses_scratch, const Arguments&... arguments) {
  constexpr int kThreads = 256;
  const gpu::Properties& properties = queue.gpu_device().properties();
  gpu::LaunchShape shape;
  shape.threads = std::min(kThreads, properties.max_threads_per_block);
  if (uses_scratch) {
    shape.shared_bytes = sizeof(TransformScratch) * shape.threads / properties.warp_width;
  }
  const std::size_t needed = (threads_needed + shape.threads - 1) / shape.threads;
  const int resident = resident_blocks(kernel, shape.threads, shape.shared_bytes);
  const int most = grid == KernelGrid::kResident ? resident * properties.multiprocessors
                                                 : std::numeric_limits<int>::max();
  shape.blocks = static_cast<int>(std::min<std::size_t>(needed, most));
  launch(kernel, shape, queue.stream(), arguments...);
}

template <KernelTypes kTypes, class Source>
void launch_shared(GpuQueue& queue, KernelGrid grid, const Items& items, const Source& source) {
  const auto warp_width = static_cast<std::size_t>(queue.gpu_device().properties().warp_width);
  launch_over(queue, &transform_in_shared<kTypes, Source>, grid, items.count * warp_width, true,
              items, source);
}

// A texture over the leading macroblocks: as many whole rows as it can hold, or all if they are
// fewer than a row.
class CoefficientTexture {
 public:
  CoefficientTexture(const std::int16_t* coefficients, std::size_t count, std::size_t max_rows) {
    const std::size_t per_row = std::min(count, kMacroblocksPerRow);
    const std::size_t rows = std::min(count / per_row, max_rows);
    count_ = per_row * rows;
    texture_ = create_texture(coefficients, per_row * kOctets, rows,
                              per_row * kMacroblockSamples * sizeof(std::int16_t));
  }
  ~CoefficientTexture() { destroy_texture(texture_); }
  CoefficientTexture(const CoefficientTexture&) = delete;
  CoefficientTexture& operator=(const CoefficientTexture&) = delete;

  // Number of macroblocks in the texture.
  std::size_t count() const { return count_; }
  TextureSource<Texture> source() const { return {texture_}; }

 private:
  std::size_t count_;
  Texture texture_;
};

// Launches one kernel for each texture that is needed to cover the items. Returns when they have
// ended.
template <KernelTypes kTypes>
void run_textured(GpuQueue& queue, KernelGrid grid, Items items) {
  const std::size_t max_rows = queue.gpu_device().properties().max_texture_height;
  while (items.count > 0) {
    const CoefficientTexture texture(items.coefficients, items.count, max_rows);
    Items of_texture = items;
    of_texture.count = texture.count();
    launch_shared<kTypes>(queue, grid, of_texture, texture.source());
    synchronize(queue.stream());
    if constexpr (kTypes == KernelTypes::kMixed) items.sizes += of_texture.count;
    items.coefficients += kMacroblockSamples * of_texture.count;
    items.residual += kMacroblockSamples * of_texture.count;
    items.count -= of_texture.count;
  }
}

template <KernelTypes kTypes>
void run_kernel(GpuQueue& queue, const KernelLaunch& kernel) {
  const Items items{kernel.macroblocks.sizes, kernel.macroblocks.coefficients, kernel.residual,
                    kernel.macroblocks.count};
  switch (kernel.access) {
    case Access::kGlobal:
      launch_over(queue, &transform_in_global<kTypes>, kernel.grid,
                  items.count * kThreadsPerMacroblock<kTypes>, false, items);
      break;
    case Access::kShared:
      launch_shared<kTypes>(queue, kernel.grid, items, GlobalSource{items.coefficients});
      break;
    case Access::kSharedTexture: run_textured<kTypes>(queue, kernel.grid, items); break;
  }
}

void run_kernel(GpuQueue& queue, const KernelLaunch& kernel) {
  switch (kernel.types) {
    case KernelTypes::k4x4: run_kernel<KernelTypes::k4x4>(queue, kernel); break;
    case KernelTypes::k8x8: run_kernel<KernelTypes::k8x8>(queue, kernel); break;
    case KernelTypes::kMixed: run_kernel<KernelTypes::kMixed>(queue, kernel); break;
  }
}

void check_textures(const GpuQueue& queue) {
  constexpr std::size_t kWidth = kMacroblocksPerRow * kOctets;
  const gpu::Properties& properties = queue.gpu_device().properties();
  if (!properties.has_textures || properties.max_texture_width < kWidth) {
    throw Error(ErrorCode::kUnsupported,
                queue.device().info().name + " (" + properties.description +
                    ") has no 2-D textures of " + std::to_string(kWidth) +
                    " elements of 16 bytes a row; use Access::kGlobal or kShared");
  }
}

void enqueue_kernel(Queue& queue, const KernelLaunch& kernel) {
  auto& gpu_queue = static_cast<GpuQueue&>(queue);
  const bool has_texture = kernel.access == Access::kSharedTexture;
  if (has_texture) check_textures(gpu_queue);
  if (kernel.macroblocks.count == 0) return;
  gpu_queue.enqueue([&gpu_queue, kernel] { run_kernel(gpu_queue, kernel); },
                    has_texture ? GpuQueue::Start::kNow : GpuQueue::Start::kInline);
}

const RegisterOp<idct::LaunchKernelOp> registered(kBackend, &enqueue_kernel);

}  // namespace
}  // namespace millrace::MILLRACE_GPU
