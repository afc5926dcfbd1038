// SPDX-License-Identifier: Apache-2.0

// Subcommands of several processes that were started together, such as by mpirun.
#ifndef MILLRACE_TOOLS_COMMAND_COMMON_RANKS_H_
#define MILLRACE_TOOLS_COMMAND_COMMON_RANKS_H_

#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/communicator.h>
#include <millrace/tools/command/common/exit_status.h>
#include <millrace/tools/files/interrupt_guard.h>

#include <exception>
#include <functional>
#include <memory>
#include <string>

namespace millrace::tools {

// The exit status after an error.
inline constexpr int kFailedStatus = 2;

// Returns the message that the command prints for an exception.
std::string words_of(const std::exception& error);

// Opens the device of a rank from `names`, the value of --device:
//   "cuda:1"      that one, which all ranks of the machine share, as they do "tbb", the CPU;
//   "cuda:0,tbb"  one of its own for each rank, by its rank on the machine;
//   "cuda"        the same, of all that the backend has, be it one;
//   ""            those of the preferred backend in turn, shared where they are fewer than ranks.
// Throws Error: kInvalidArgument for fewer devices than ranks on the machine, an empty name and a
// device that is named twice; kNotFound for any unknown name, also one that no rank would use.
std::shared_ptr<Device> open_rank_device(const Communicator& communicator,
                                         const std::string& names);

// Returns the options of a queue that has this rank's fraction of the machine's cores where its
// device is the CPU.
QueueOptions rank_queue_options(const Communicator& communicator, const Device& device);

// Opens the device of a rank with such a queue, as a group of one.
DeviceGroup open_rank_group(const Communicator& communicator, const std::string& names);

// Returns the size, the first and the last bytes of a file that each rank reads, which ranks
// compare; "" if it is no regular file or cannot be read.
std::string sample_of_file(const std::string& path);

// Throws Error (kInvalidArgument) if several ranks would read `path` and it is a pipe or an open
// descriptor, which only one process has.
void require_file_of_all_ranks(const Communicator& communicator, const std::string& path);

// Collective. Returns the signal of the first rank that got one, or 0.
int signal_of_any(Communicator& communicator, const InterruptGuard& interrupt);

// Prints an error that ranks have not agreed on, and ends all of them: the others may wait for this
// one for ever.
[[noreturn]] void end_all_ranks(const Communicator& communicator, const std::exception& error);

// Runs the part of a subcommand that belongs to one rank. An error that ranks have agreed on is
// thrown on rank 0 alone; others end the command with the same status and no message. Any other
// error of one of several ranks ends all.
template <class Run>
void run_on_rank(const Communicator& communicator, const Run& run) {
  if (communicator.size() == 1) return run();
  try {
    run();
  } catch (const AgreedError&) {
    if (communicator.rank() == 0) throw;
    throw ExitStatus(kFailedStatus);
  } catch (const ExitStatus&) {
    throw;
  } catch (const std::exception& error) {
    end_all_ranks(communicator, error);
  }
}

// Runs a subcommand of one process: on rank 0 alone, or on the first rank of each machine. Other
// ranks sleep meanwhile, so that they use no cores, and end the command with the worst status of
// these; rank 0 prints a note of it on standard error. Collective; `run` has no collective
// operation, and ends as a subcommand does: it returns, or throws ExitStatus or another exception,
// whose message is printed on the rank that throws it. A rank that sleeps leaves interrupts to
// those that run.
void run_on_rank_0(Communicator& communicator, const std::string& command,
                   const std::function<void()>& run);
// `run` takes a suffix for the names of this machine's files: "-rank16", or "" if there is one
// machine.
void run_on_each_machine(Communicator& communicator, const std::string& command,
                         const std::function<void(const std::string& machine)>& run);

// Returns the path with the suffix of a machine: "out/results-rank16.json" for "out/results.json"
// and "-rank16".
std::string path_of_machine(const std::string& path, const std::string& machine);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_COMMON_RANKS_H_
