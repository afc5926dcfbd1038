// SPDX-License-Identifier: Apache-2.0

// Runs the same macroblock queues on every device or group of devices under every policy, times
// them, and checks that all results agree to the bit. Each queue is run and timed once: nothing is
// repeated until a median is known, as by the sampler of `millrace bench`.
#ifndef MILLRACE_TOOLS_COMMAND_IDCT_IDCT_CONTEST_H_
#define MILLRACE_TOOLS_COMMAND_IDCT_IDCT_CONTEST_H_

#include <millrace/algorithms/idct/idct.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/item_sharing.h>
#include <millrace/runtime/tasks/policy.h>
#include <millrace/tools/command/idct/picture/picture_coder.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {

// The work of one device or group under one policy. Rates count the bytes of coefficients, types,
// prediction and reconstruction, or of coefficients, types and residual, in the device's memory;
// uploads and downloads are not timed.
struct IdctRun {
  std::string device;
  Policy policy;  // The requested policy.
  // The same, or the choice of kAuto; known after the first macroblock.
  Policy ran = Policy::kAuto;
  std::size_t macroblocks = 0;
  double seconds = 0;
  double copy_bytes_per_second = 0;       // Read plus written, by copies within the devices.
  std::vector<DevicePortion> portions{};  // Work of each device of a group, in rows of macroblocks.

  double macroblocks_per_second() const;
  double bytes_per_second() const;
  double fraction_of_copy() const { return bytes_per_second() / copy_bytes_per_second; }
};

// Used by one thread at a time.
class IdctContest {
 public:
  // Takes at least one group and one policy.
  IdctContest(std::vector<DeviceGroup> groups, const std::vector<Policy>& policies);

  // Reconstructs one plane of a picture with every participant and times it; the first call has an
  // additional run to warm up. Throws Error (kInternal) when two results differ.
  void reconstruct(const CodedPlane& coded, idct::ConstPlane prediction, idct::Plane output);

  // Reconstructs with the first participant, untimed.
  void reconstruct_untimed(const CodedPlane& coded, idct::ConstPlane prediction,
                           idct::Plane output);

  // Writes the residual of a queue, which is not empty and in host memory, to the 256 samples of
  // each macroblock at `residual`, by idct::inverse_transform(): with every participant, timed and
  // compared as in reconstruct().
  void transform(const idct::MacroblockQueue& queue, std::int16_t* residual);

  const std::vector<IdctRun>& runs() const { return runs_; }

 private:
  // A queue and the shape of its plane. A queue of residuals alone has no prediction, and the shape
  // of a plane one macroblock wide.
  struct Work {
    idct::MacroblockQueue queue;
    idct::ConstPlane prediction;

    static Work of_residuals(const idct::MacroblockQueue& queue);
    bool is_residual() const { return prediction.data == nullptr; }
    std::size_t output_bytes(int rows) const;  // Bytes for rows of macroblocks.
  };

  // The rows of macroblocks of one plane that a device has.
  struct DeviceBand {
    int first_row = 0;
    int rows = 0;
    Buffer<idct::TransformSize> sizes{};
    Buffer<std::int16_t> coefficients{};
    Buffer<std::uint8_t> prediction{};
    Buffer<std::byte> output{};  // Samples, or residuals of 16 bits.
  };

  // A group with the memory of one plane's queue; the rows of a device are in proportion to its
  // speed.
  struct Participant {
    explicit Participant(DeviceGroup devices) : group(std::move(devices)), bands(group.size()) {}

    void upload(const Work& work);
    void plan(const Work& work);
    void run(Policy policy, const Work& work, IdctRun& run);
    Policy run_band(std::size_t device, Policy policy, const Work& work);
    void download(const Work& work, std::byte* output);

    DeviceGroup group;
    std::vector<DeviceBand> bands;
  };

  // Times the work of every participant under every policy. The first result is left in `output`.
  void compete(const Work& work, std::byte* output);

  std::vector<Participant> participants_;
  std::vector<Policy> policies_;
  std::vector<IdctRun> runs_;  // Indexed by participant, then by policy.
  bool is_warm_ = false;
  std::vector<std::byte> other_output_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_IDCT_IDCT_CONTEST_H_
