// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/files/input/positioned_file.h>
#include <millrace/tools/video/h264/session_file.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace millrace::tools {

std::vector<h264::DescribedStream> read_session_file(const std::string& path) {
  if (path.empty()) return {};
  const PositionedFile file = PositionedFile::open(path);
  const std::uint64_t bytes = std::min<std::uint64_t>(file.bytes(), h264::kMostSessionBytes);
  std::string text(static_cast<std::size_t>(bytes), '\0');
  file.read(0, text.data(), text.size());
  return h264::read_session_description(text, path);
}

}  // namespace millrace::tools
