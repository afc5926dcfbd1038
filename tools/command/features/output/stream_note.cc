// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/features/output/stream_note.h>

#include <iostream>

namespace millrace::tools {

void print_stream_note(const std::string& sentence) {
  std::cerr << "millrace: " + std::string(Error(ErrorCode::kInternal, sentence).what()) + "\n";
}

}  // namespace millrace::tools
