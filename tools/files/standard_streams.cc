// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/files/standard_streams.h>

#include <fcntl.h>
#include <unistd.h>

namespace millrace::tools {

void hold_standard_streams() {
  // Opens them in the wrong mode, so that use of the first two is an error. An open() takes the
  // lowest free descriptor.
  constexpr int kModes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) == -1) open("/dev/null", kModes[descriptor]);
  }
}

}  // namespace millrace::tools
