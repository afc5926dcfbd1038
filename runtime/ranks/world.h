// SPDX-License-Identifier: Apache-2.0

// The communicator of all processes that were started together, such as by mpirun.
#ifndef MILLRACE_RUNTIME_RANKS_WORLD_H_
#define MILLRACE_RUNTIME_RANKS_WORLD_H_

#include <functional>
#include <memory>

#include <millrace/runtime/ranks/communicator.h>

namespace millrace {

// Of a process that was started alone a communicator of this rank only. The same one every time,
// for the rest of the process. Throws Error (kUnsupported) where a launcher has started this
// process and nothing that is linked can reach the others; what the linked library throws.
Communicator& world_communicator();

// A communicator of one rank.
std::unique_ptr<Communicator> make_self_communicator();

// Collective over the world: a communicator of its first `ranks`, at most as many as it has; null
// on the others. Throws likewise.
std::unique_ptr<Communicator> make_part_of_world(int ranks);

// The rank that this process will have in the world, as far as its launcher says so in the
// environment; else 0. For words that one rank says before there is a world, or that there is none.
int launched_rank();

// Ends all processes of the world at once, without waiting for them, this one with `status`; a
// launcher ends with it, too. For an error that the others do not know of. What is buffered is
// written; nothing is destroyed.
[[noreturn]] void abort_world(int status);

// Makes the world reachable for the life of the program: one object of static storage in the source
// that knows how to do what the functions above do, of processes that were started together. Throws
// kInvalidArgument when there is one.
struct WorldMaker {
  std::function<std::unique_ptr<Communicator>()> world;
  std::function<std::unique_ptr<Communicator>(int ranks)> part;
  std::function<void(int status)> abort;
};
struct RegisterWorld {
  explicit RegisterWorld(WorldMaker maker);
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_RANKS_WORLD_H_
