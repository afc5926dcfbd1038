// SPDX-License-Identifier: Apache-2.0

// A picture of dwells as a PNG file.
#ifndef MILLRACE_DOCS_EXAMPLES_DWELL_PNG_H_
#define MILLRACE_DOCS_EXAMPLES_DWELL_PNG_H_

#include <cstdint>
#include <ostream>
#include <span>

namespace millrace::examples {

// `dwells`: width * height, row by row from the top. Points that never escaped are near black; the
// others go round a cycle of colours with the logarithm of their dwell. Throws kIo when libpng
// rejects; errors of the stream are the stream's.
void write_dwell_png(std::span<const std::uint32_t> dwells, int width, int height,
                     std::uint32_t max_dwell, std::ostream& stream);

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_DWELL_PNG_H_
