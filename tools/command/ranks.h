// What subcommands do where several processes were started together, such as by mpirun.
#ifndef MILLRACE_TOOLS_COMMAND_RANKS_H_
#define MILLRACE_TOOLS_COMMAND_RANKS_H_

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <string>

#include <millrace/runtime/communicator.h>
#include <millrace/runtime/device.h>
#include <millrace/runtime/device_group.h>
#include <millrace/runtime/error.h>

namespace millrace::tools {

// The device of a rank, of `names`, which --device has:
//   ""            those of the preferred backend in turn, by the rank's place on its machine;
//   "cuda"        the rank's place on its machine, of that backend's; each has one of its own;
//   "cuda:1"      that one, which all share, as they do "tbb", of which there is one;
//   "cuda:0,tbb"  the rank's place on its machine, of these.
// Throws Error: kInvalidArgument for fewer devices than ranks on the machine, kNotFound.
std::shared_ptr<Device> open_rank_device(const Communicator& communicator,
                                         const std::string& names);

// Of a queue that has this rank's share of the machine's cores where its device is the CPU.
QueueOptions rank_queue_options(const Communicator& communicator, const Device& device);

// The device of a rank, and such a queue, as a group of one.
DeviceGroup open_rank_group(const Communicator& communicator, const std::string& names);

// Runs a subcommand's part of one rank, whose errors ranks have agreed on: only rank 0 throws them,
// others end the command with the same status and no words.
template <class Run>
void run_on_rank(const Communicator& communicator, const Run& run) {
  try {
    run();
  } catch (const Error&) {
    if (communicator.rank() == 0) throw;
    throw CLI::RuntimeError(2);
  }
}

// Runs a subcommand that is one process's: on rank 0 alone, or on one rank of each machine. Others
// sleep meanwhile, so that they leave the cores alone, and end the command with its status; rank 0
// says so on standard error. Collective; `run` has no collective operation, and ends as a
// subcommand does: it returns, or throws an Error, whose words are said wherever it is thrown, or
// CLI::RuntimeError. A rank that sleeps leaves interrupts to those that run.
void run_on_rank_0(Communicator& communicator, const std::string& command,
                   const std::function<void()>& run);
void run_on_each_machine(Communicator& communicator, const std::string& command,
                         const std::function<void()>& run);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_RANKS_H_
