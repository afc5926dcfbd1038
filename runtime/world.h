// The communicator of all processes that were started together, such as by mpirun.
#ifndef MILLRACE_RUNTIME_WORLD_H_
#define MILLRACE_RUNTIME_WORLD_H_

#include <functional>
#include <memory>

#include <millrace/runtime/communicator.h>

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

// Makes the world reachable for the life of the program: one object of static storage in the source
// that knows how to do what the functions above do, of processes that were started together. Throws
// kInvalidArgument when there is one.
struct WorldMaker {
  std::function<std::unique_ptr<Communicator>()> world;
  std::function<std::unique_ptr<Communicator>(int ranks)> part;
};
struct RegisterWorld {
  explicit RegisterWorld(WorldMaker maker);
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_WORLD_H_
