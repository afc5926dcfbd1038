// SPDX-License-Identifier: Apache-2.0

// The sensors of AMD's GPUs, by ROCm's System Management Interface.
#ifndef MILLRACE_TOOLS_BENCHMARKS_HARNESS_PROBES_ROCM_PROBE_H_
#define MILLRACE_TOOLS_BENCHMARKS_HARNESS_PROBES_ROCM_PROBE_H_

#include <millrace/tools/benchmarks/harness/probes/device_probe.h>
#include <millrace/tools/benchmarks/harness/probes/shared_library.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace millrace::tools {

class RocmProbe : public DeviceProbe {
 public:
  // Opens the probe of the library's device `index`. Null where the library is missing,
  // HIP_VISIBLE_DEVICES or ROCR_VISIBLE_DEVICES count devices another way, or its device has a name
  // that is not in `description`.
  static std::unique_ptr<RocmProbe> open(unsigned index, const std::string& description,
                                         const std::string& library = "librocm_smi64.so");
  ~RocmProbe() override;

  ConditionRecord conditions() override;
  std::optional<double> joules() override;
  std::string driver() override;

 private:
  RocmProbe(unsigned index, const std::string& library)
      : library_(library), device_(static_cast<std::uint32_t>(index)) {}
  bool is_called(const std::string& description) const;
  std::optional<double> clock_hz() const;

  // Calls a function of the library; false where it is missing or fails.
  template <class... Arguments>
  bool call(const char* name, Arguments... arguments) const;

  const SharedLibrary library_;
  const std::uint32_t device_;
  bool is_initialised_ = false;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_HARNESS_PROBES_ROCM_PROBE_H_
