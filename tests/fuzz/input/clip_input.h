// SPDX-License-Identifier: Apache-2.0

// Decodes a clip from any bytes, but only a limited number of small pictures.
#ifndef MILLRACE_TESTS_FUZZ_INPUT_CLIP_INPUT_H_
#define MILLRACE_TESTS_FUZZ_INPUT_CLIP_INPUT_H_

#include <millrace/tests/fuzz/input/input_file.h>
#include <millrace/tools/video/video_reader.h>

namespace millrace::fuzz {

// Opens the file and decodes up to its first pictures, by one thread and by several, which must
// agree.
void decode(const InputFile& file, const tools::VideoReaderOptions& options = {});

}  // namespace millrace::fuzz

#endif  // MILLRACE_TESTS_FUZZ_INPUT_CLIP_INPUT_H_
