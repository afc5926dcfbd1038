// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/gpu/host/owners_in_flight.h>

namespace millrace::MILLRACE_GPU {

void OwnersInFlight::keep(const MemoryOwner& first, const MemoryOwner& second, Stream stream) {
  if (!first && !second) return;
  try {
    auto until = std::make_unique<StreamPoint>(device_);
    until->record(stream);
    kept_.push_back({std::move(until), first, second});
  } catch (...) {
    // Without the point, nothing would show when the stream has passed the work.
    device_->try_with([stream] { synchronize(stream); });
    throw;
  }
}

void OwnersInFlight::release() {
  while (!kept_.empty() && kept_.front().until->is_reached()) kept_.pop_front();
}

}  // namespace millrace::MILLRACE_GPU
