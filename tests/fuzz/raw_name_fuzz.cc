// SPDX-License-Identifier: Apache-2.0

// Takes any bytes for the name of a file of raw video.
#include <millrace/tests/fuzz/input/input_file.h>
#include <millrace/tools/video/raw/raw_format.h>
#include <millrace/tools/video/raw/raw_size.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

// NOLINTNEXTLINE: libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace;
  const std::string name(data, data + size);
  fuzz::read_or_reject([&] {
    tools::has_raw_name(name);
    tools::raw_format_from_name(name);
    const std::optional<tools::RawSize> found = tools::raw_size_from_name(name);
    if (!found) return;
    fuzz::require(found->width > 0 && found->height > 0, "a size is none");
    fuzz::require(name.find(std::to_string(found->width)) != name.npos,
                  "a width is not in the name");
  });
  return 0;
}
