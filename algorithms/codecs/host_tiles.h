// What the codecs share on the CPU.
#ifndef MILLRACE_ALGORITHMS_CODECS_HOST_TILES_H_
#define MILLRACE_ALGORITHMS_CODECS_HOST_TILES_H_

#include <cstddef>
#include <functional>

#include <millrace/algorithms/codecs/stores.h>
#include <millrace/runtime/codec.h>

namespace millrace::codecs {

// Calls work(tile) for every tile, on the threads of the arena it is called in.
void for_each_tile(std::size_t tiles, const std::function<void(std::size_t tile)>& work);

// What pays for an output of so many bytes.
Stores stores_for(std::size_t output_bytes);

inline void set_error(CodecResult* result, CodecError error) {
  result->error_word = static_cast<std::uint32_t>(error);
}

}  // namespace millrace::codecs

#endif  // MILLRACE_ALGORITHMS_CODECS_HOST_TILES_H_
