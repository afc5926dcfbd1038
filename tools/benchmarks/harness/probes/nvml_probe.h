// SPDX-License-Identifier: Apache-2.0

// The sensors of NVIDIA's GPUs, by its management library (NVML).
#ifndef MILLRACE_TOOLS_BENCHMARKS_HARNESS_PROBES_NVML_PROBE_H_
#define MILLRACE_TOOLS_BENCHMARKS_HARNESS_PROBES_NVML_PROBE_H_

#include <millrace/tools/benchmarks/harness/probes/device_probe.h>
#include <millrace/tools/benchmarks/harness/probes/shared_library.h>

#include <memory>
#include <optional>
#include <string>

namespace millrace::tools {

class NvmlProbe : public DeviceProbe {
 public:
  // Opens the probe of the GPU that this process calls number `index`, by CUDA_VISIBLE_DEVICES
  // where it is set. Null where the library is missing, or its device has a name that is not in
  // `description`.
  static std::unique_ptr<NvmlProbe> open(unsigned index, const std::string& description,
                                         const std::string& library = "libnvidia-ml.so.1");
  ~NvmlProbe() override;

  ConditionRecord conditions() override;
  std::optional<double> joules() override;
  std::string driver() override;

 private:
  struct Device;  // NVML's own.
  using DeviceHandle = Device*;

  explicit NvmlProbe(const std::string& library) : library_(library) {}
  bool choose(unsigned index, const std::string& description);

  // Calls a function of the library; false where it is missing or fails.
  template <class... Arguments>
  bool call(const char* name, Arguments... arguments) const;

  const SharedLibrary library_;
  bool is_initialised_ = false;
  DeviceHandle device_ = nullptr;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_HARNESS_PROBES_NVML_PROBE_H_
