// SPDX-License-Identifier: Apache-2.0

// A block of bit_packing.h in a GPU's shared memory.
#ifndef MILLRACE_ALGORITHMS_CODECS_GPU_STAGED_BLOCK_H_
#define MILLRACE_ALGORITHMS_CODECS_GPU_STAGED_BLOCK_H_

#include <millrace/algorithms/codecs/bit_packing.h>
#include <millrace/backends/gpu/api.h>

namespace millrace::MILLRACE_GPU {

// The integers of a warp's block in shared memory. A gap of one row follows every eight rows, so
// that lanes that read words of one block at once find them in different banks.
template <class T>
class StagedBlock {
 public:
  MILLRACE_FUNCTION T& operator[](int i) {
    return values_[i + i / (8 * codecs::kStreams<T>)*codecs::kStreams<T>];
  }

  // Packs the integers; all lanes call it. sync_warp() is required between writing the integers and
  // this call, and between this call and the next writes.
  MILLRACE_FUNCTION void pack(T* words, int width) {
    for (int word = lane_index(); word < width * codecs::kStreams<T>; word += warp_width()) {
      words[word] = codecs::packed_word<T>([this](int i) { return (*this)[i]; }, width, word);
    }
  }

 private:
  alignas(16) T values_[codecs::kBlockValues + codecs::kBlockValues / 8];
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_CODECS_GPU_STAGED_BLOCK_H_
