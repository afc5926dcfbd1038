// SPDX-License-Identifier: Apache-2.0

// Conversion of MPI's errors to Error.
#ifndef MILLRACE_BACKENDS_MPI_MPI_ERROR_H_
#define MILLRACE_BACKENDS_MPI_MPI_ERROR_H_

#include <millrace/runtime/core/error.h>

#include <mpi.h>

#include <string>

namespace millrace::mpi {

// True if a call has failed since the process began: MPI_Finalize would then wait forever.
inline bool& has_failed() {
  static bool failed = false;
  return failed;
}

// Throws Error (kIo) with MPI's message for a code other than MPI_SUCCESS.
inline void check(int code) {
  if (code == MPI_SUCCESS) return;
  has_failed() = true;
  char words[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, words, &length);
  throw Error(ErrorCode::kIo, "another rank cannot be reached by MPI: " +
                                  std::string(words, static_cast<std::size_t>(length)));
}

}  // namespace millrace::mpi

#endif  // MILLRACE_BACKENDS_MPI_MPI_ERROR_H_
