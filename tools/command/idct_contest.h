// Runs the same macroblock queues on every device under every policy, times them, and demands that
// all agree to the bit.
#ifndef MILLRACE_TOOLS_COMMAND_IDCT_CONTEST_H_
#define MILLRACE_TOOLS_COMMAND_IDCT_CONTEST_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <millrace/algorithms/idct/idct.h>
#include <millrace/runtime/buffer.h>
#include <millrace/runtime/device.h>
#include <millrace/runtime/policy.h>
#include <millrace/tools/command/picture_coder.h>

namespace millrace::tools {

// What one device did under one policy. Rates count the bytes of coefficients, types, prediction
// and reconstruction, in the device's memory; uploads and downloads are not timed.
struct IdctRun {
  std::string device;
  Policy policy;               // As asked for.
  Policy ran = Policy::kAuto;  // The same, or what kAuto came to; after the first macroblock.
  std::size_t macroblocks = 0;
  double seconds = 0;
  double copy_bytes_per_second = 0;  // Read plus written, of a copy on the same device.

  double macroblocks_per_second() const;
  double bytes_per_second() const;
  double fraction_of_copy() const { return bytes_per_second() / copy_bytes_per_second; }
};

// Used by one thread at a time.
class IdctContest {
 public:
  // At least one device and one policy.
  IdctContest(const std::vector<std::shared_ptr<Device>>& devices,
              const std::vector<Policy>& policies);

  // Reconstructs one plane of a picture with every participant, timed, the very first time once
  // more for warming up. Throws Error (kInternal) when two results differ.
  void reconstruct(const CodedPlane& coded, idct::ConstPlane prediction, idct::Plane output);

  // Reconstructs with the first participant, untimed.
  void reconstruct_untimed(const CodedPlane& coded, idct::ConstPlane prediction,
                           idct::Plane output);

  const std::vector<IdctRun>& runs() const { return runs_; }

 private:
  // A device with room for one plane's queue.
  struct Participant {
    std::shared_ptr<Device> device;
    std::unique_ptr<Queue> queue;
    Buffer<idct::TransformSize> sizes;
    Buffer<std::int16_t> coefficients;
    Buffer<std::uint8_t> prediction;
    Buffer<std::uint8_t> output;

    void upload(const CodedPlane& coded, idct::ConstPlane prediction_plane);
    Policy run(Policy policy, std::size_t macroblocks, idct::ConstPlane shape);
    void download(idct::Plane plane);
  };

  std::vector<Participant> participants_;
  std::vector<Policy> policies_;
  std::vector<IdctRun> runs_;  // By participant, then by policy.
  bool is_warm_ = false;
  std::vector<std::uint8_t> other_output_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_IDCT_CONTEST_H_
