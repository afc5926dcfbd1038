// SPDX-License-Identifier: Apache-2.0

// MPI's world communicator, for programs that do not use MPI themselves, and the lifetime of MPI in
// them.
#include <millrace/backends/mpi/mpi_communicator.h>
#include <millrace/backends/mpi/mpi_error.h>
#include <millrace/runtime/ranks/world.h>

#include <mpi.h>

#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>

namespace millrace::mpi {
namespace {

std::string name_of_level(int level) {
  if (level == MPI_THREAD_SINGLE) return "MPI_THREAD_SINGLE";
  return level == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED" : "a level of its own";
}

// Called at the end of a process, after all ranks have arrived there.
void finalise() {
  int is_finalised = 0;
  MPI_Finalized(&is_finalised);
  if (is_finalised == 0 && !has_failed()) MPI_Finalize();
}

void check_level(int level, const std::string& who) {
  if (level >= kThreadLevel) return;
  throw Error(ErrorCode::kUnsupported,
              who + " " + name_of_level(level) + "; Millrace needs MPI_THREAD_SERIALIZED or more");
}

std::unique_ptr<Communicator> make_world() {
  return std::make_unique<MpiCommunicator>(MPI_COMM_WORLD);
}

std::unique_ptr<Communicator> split_world(int ranks) {
  int rank = 0;
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  MPI_Comm first = MPI_COMM_NULL;
  check(MPI_Comm_split(MPI_COMM_WORLD, rank < ranks ? 0 : MPI_UNDEFINED, rank, &first));
  if (first == MPI_COMM_NULL) return nullptr;
  auto communicator = std::make_unique<MpiCommunicator>(first);
  check(MPI_Comm_free(&first));
  return communicator;
}

void abort_all(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

const RegisterWorld registered({.world = make_world,
                                .subcommunicator = split_world,
                                .abort = abort_all});

}  // namespace

void initialise() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  int is_initialised = 0;
  MPI_Initialized(&is_initialised);
  int level = MPI_THREAD_SINGLE;
  if (is_initialised != 0) {
    check(MPI_Query_thread(&level));
    check_level(level, "MPI was initialised with");
    return;
  }
  check(MPI_Init_thread(nullptr, nullptr, kThreadLevel, &level));
  std::atexit(finalise);
  check_level(level, "this MPI gives threads");
}

}  // namespace millrace::mpi
