// SPDX-License-Identifier: Apache-2.0

// The world is the communicator of all processes that were started together, for example by mpirun.
//
//   Communicator& world = world_communicator();
//   std::printf("rank %d of %d\n", world.rank(), world.size());
#ifndef MILLRACE_RUNTIME_RANKS_WORLD_H_
#define MILLRACE_RUNTIME_RANKS_WORLD_H_

#include <millrace/runtime/ranks/communicator.h>

#include <functional>
#include <memory>

namespace millrace {

// Returns the world, which is one object that exists until the process ends. For a process that was
// started alone it has one rank. Throws kUnsupported if a launcher has started several processes
// but no linked library can connect them. Throws what the linked library throws. Any thread may
// call it.
Communicator& world_communicator();

// Returns a communicator of one rank.
std::unique_ptr<Communicator> make_self_communicator();

// Collective over the world. Returns a communicator of its first `ranks` ranks, and null on the
// others. Throws kInvalidArgument unless `ranks` is 1 to the size of the world, and what
// world_communicator() throws.
std::unique_ptr<Communicator> make_subcommunicator(int ranks);

// Returns the rank that this process will have in the world, from the launcher's environment
// variables, or 0 if there are none. It lets one rank print messages before the world exists, or if
// it cannot be made.
int launched_rank();

// Ends all processes of the world at once, this one with exit status `status`, and with them the
// launcher. It is for errors that the other ranks cannot know. Buffered output is written; no
// destructors run.
[[noreturn]] void abort_world(int status);

// The functions by which a library such as MPI provides the world to the functions above.
struct WorldMaker {
  std::function<std::unique_ptr<Communicator>()> world;
  std::function<std::unique_ptr<Communicator>(int ranks)> subcommunicator;
  std::function<void(int status)> abort;
};

// Registers the functions for the life of the program. The object has static storage duration, in
// the library's own source. Throws kInvalidArgument if a world is registered already.
struct RegisterWorld {
  explicit RegisterWorld(WorldMaker maker);
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_RANKS_WORLD_H_
