// SPDX-License-Identifier: Apache-2.0

// Encodes of several clips at once.
#ifndef MILLRACE_TOOLS_COMMAND_ENCODE_ENCODE_CLIPS_H_
#define MILLRACE_TOOLS_COMMAND_ENCODE_ENCODE_CLIPS_H_

#include <millrace/runtime/core/device.h>
#include <millrace/runtime/ranks/communicator.h>
#include <millrace/tools/command/encode/encode_options.h>

#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {

// Returns the options of each clip, with the clip's own output. Throws Error (kInvalidArgument)
// where several clips do not have a folder, or options that are of one clip.
std::vector<EncodeOptions> options_of_clips(const EncodeOptions& options);

using DeviceList = std::vector<std::shared_ptr<Device>>;

// Opens the devices of --device `name`, of which a rank of several has one. Empty: the default one.
// Throws what open_named_group() and open_rank_device() throw.
DeviceList devices_of_rank(const Communicator& world, const std::string& name);

// Collective. Encodes the clips: each rank its portion of them on its devices, at most four on each
// at a time. A clip has a line when it is complete, on standard error where it fails, which does
// not end the others. Then rank 0 writes --json, of all ranks. Throws ExitStatus(1) if some clips
// failed, 2 if all did, and 128 + signal after a signal.
void encode_clips(Communicator& world, const EncodeOptions& options,
                  const std::vector<EncodeOptions>& clips, const DeviceList& devices);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_ENCODE_ENCODE_CLIPS_H_
