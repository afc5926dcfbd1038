// SPDX-License-Identifier: Apache-2.0

// Textures: rows of 16-byte elements, read by index.
#ifndef MILLRACE_BACKENDS_SIMT_HOST_TEXTURE_H_
#define MILLRACE_BACKENDS_SIMT_HOST_TEXTURE_H_

#include <millrace/backends/gpu/api_types.h>

#include <cstddef>

namespace millrace::simt {

struct Texture {
  const std::byte* data;
  std::size_t width;
  std::size_t height;
  std::size_t row_bytes;
};

}  // namespace millrace::simt

namespace millrace::simt_backend {

using Texture = const simt::Texture*;
Texture create_texture(const void* data, std::size_t width, std::size_t height,
                       std::size_t row_bytes);
void destroy_texture(Texture texture) noexcept;

// Device side. An index outside the texture stops the launch.
gpu::Vector16 fetch(Texture texture, int x, int y);

}  // namespace millrace::simt_backend

#endif  // MILLRACE_BACKENDS_SIMT_HOST_TEXTURE_H_
