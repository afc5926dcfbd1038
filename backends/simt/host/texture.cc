// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/simt/host/simulated_memory.h>
#include <millrace/backends/simt/host/texture.h>
#include <millrace/backends/simt/launch/kernel_run.h>
#include <millrace/runtime/core/error.h>

#include <cstring>
#include <string>

namespace millrace::simt_backend {
namespace {

std::string describe_outside(Texture texture, int x, int y) {
  return "fetches element (" + std::to_string(x) + ", " + std::to_string(y) + ") of a texture of " +
         std::to_string(texture->width) + " x " + std::to_string(texture->height);
}

}  // namespace

Texture create_texture(const void* data, std::size_t width, std::size_t height,
                       std::size_t row_bytes) {
  const std::size_t used_of_row = width * sizeof(gpu::Vector16);
  if (width == 0 || height == 0 || row_bytes < used_of_row ||
      !simt::SimulatedMemory::get().holds(data, (height - 1) * row_bytes + used_of_row)) {
    throw Error(ErrorCode::kInternal, "a texture of " + std::to_string(width) + " x " +
                                          std::to_string(height) + " elements in rows of " +
                                          std::to_string(row_bytes) +
                                          " bytes must have at least one element and rows that do "
                                          "not overlap, and must lie in device memory");
  }
  return new simt::Texture{static_cast<const std::byte*>(data), width, height, row_bytes};
}

void destroy_texture(Texture texture) noexcept { delete texture; }

gpu::Vector16 fetch(Texture texture, int x, int y) {
  const auto column = static_cast<std::size_t>(x);
  const auto row = static_cast<std::size_t>(y);
  if (column >= texture->width || row >= texture->height) {
    simt::this_thread->run->fail(describe_outside(texture, x, y));
  }
  gpu::Vector16 element;
  std::memcpy(&element, texture->data + row * texture->row_bytes + column * sizeof element,
              sizeof element);
  return element;
}

}  // namespace millrace::simt_backend
