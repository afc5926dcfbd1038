// SPDX-License-Identifier: Apache-2.0

// The devices and threads that read the streams of a run.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_POOL_CHOICE_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_POOL_CHOICE_H_

#include <millrace/runtime/core/device.h>
#include <millrace/runtime/ranks/communicator.h>
#include <millrace/tools/command/features/choice/device_choice.h>
#include <millrace/tools/command/features/read_streams.h>
#include <millrace/tools/command/features/stream_name.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {

// The value of --device that leaves the choice to the command.
inline constexpr const char* kAutoDevice = "auto";

// Has the devices of that name alone read the streams of `pool`: of several ranks each one its own,
// of one rank all of a group. Throws what open_rank_device() and open_named_group() throw.
void use_named_devices(const std::string& device, const Communicator& world,
                       StreamPoolOptions& pool);

// Opens the GPUs of this machine; simulated ones are left out.
std::vector<std::shared_ptr<Device>> open_gpus();

// The devices and threads that --device auto has chosen.
class PoolChoice {
 public:
  using OpenDevices = std::function<std::vector<std::shared_ptr<Device>>()>;

  // Sets the devices and threads of `pool`, whose threads are those that may be used, by the value
  // of --device: "" for threads alone, names of devices, or kAutoDevice. If the latter
  // chooses devices, `names` are sorted by their bytes. Streams that are followed get devices if
  // they are more than the threads or may become more, so that none waits for another to end.
  // `open_gpus` is called only where GPUs may be chosen. Throws what use_named_devices() throws.
  PoolChoice(const std::string& device, bool follows, const Communicator& world,
             std::vector<StreamName>& names, StreamPoolOptions& pool,
             OpenDevices open_gpus = tools::open_gpus);

  // Returns "" unless kAutoDevice was given, else what has been chosen: "cuda:0 and 12 threads".
  std::string text() const { return text_; }

  // Stores the speed that the chosen devices had in a run that took half a second at least.
  void learn(const StreamPoolOptions& pool, const StreamPoolReport& report) const;

 private:
  void choose_followers(bool is_automatic, const std::vector<StreamName>& names,
                        StreamPoolOptions& pool);
  void choose_readers(std::vector<StreamName>& names, StreamPoolOptions& pool);

  OpenDevices open_gpus_;
  std::string text_;
  StreamLoad load_;
  std::vector<DeviceSpeed> speeds_;  // Indexed as the devices of the pool; empty if none is known.
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_POOL_CHOICE_H_
