// SPDX-License-Identifier: Apache-2.0

// A fake driver of CUDA 11.4, which is older than any runtime that this builds with.
// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's.
extern "C" {

int cuInit(unsigned /*flags*/) { return 0; }

int cuDriverGetVersion(int* version) {
  *version = 11040;
  return 0;
}
}
// NOLINTEND(readability-identifier-naming)
