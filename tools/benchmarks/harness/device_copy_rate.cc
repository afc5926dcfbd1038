// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/harness/copy_probe.h>
#include <millrace/tools/benchmarks/harness/device_copy_rate.h>

namespace millrace::tools {

double measure_device_copy_rate(Queue& queue, std::size_t bytes) {
  const CopyProbe probe(queue, CopyProbe::make_memory(queue, MemorySpace::kDevice, bytes),
                        CopyProbe::make_memory(queue, MemorySpace::kDevice, bytes), bytes);
  return probe.bytes() / probe.best_seconds();
}

}  // namespace millrace::tools
