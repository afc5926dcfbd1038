// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/decoder/libav_pipe.h>

#include <cstddef>
#include <cstdint>

namespace millrace::tools {
namespace {

int read_pipe(void* input, std::uint8_t* bytes, int size) {
  try {
    const std::size_t count =
        static_cast<ClipInput*>(input)->read_some(bytes, static_cast<std::size_t>(size));
    return count == 0 ? AVERROR_EOF : static_cast<int>(count);
  } catch (const Error& error) {
    return error.code() == ErrorCode::kCancelled ? AVERROR_EXIT : AVERROR(EIO);
  }
}

}  // namespace

LibavPointer<AVIOContext> open_pipe(ClipInput& input) {
  constexpr int kBuffer = 1 << 16;
  auto* const buffer = static_cast<unsigned char*>(av_malloc(kBuffer));
  AVIOContext* const context = buffer == nullptr ? nullptr
                                                 : avio_alloc_context(buffer, kBuffer, 0, &input,
                                                                      read_pipe, nullptr, nullptr);
  if (context == nullptr) {
    av_free(buffer);
    throw Error(ErrorCode::kOutOfMemory, "no memory to read " + input.path());
  }
  context->seekable = 0;
  return LibavPointer<AVIOContext>(context);
}

}  // namespace millrace::tools
