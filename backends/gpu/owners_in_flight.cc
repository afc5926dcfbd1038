#include <millrace/backends/gpu/owners_in_flight.h>

namespace millrace::MILLRACE_GPU {

void OwnersInFlight::keep(MemoryOwner first, MemoryOwner second, Stream stream) {
  if (!first && !second) return;
  kept_.push_back({std::make_unique<StreamPoint>(device_), std::move(first), std::move(second)});
  kept_.back().until->record(stream);
}

void OwnersInFlight::release() {
  while (!kept_.empty() && kept_.front().until->is_reached()) kept_.pop_front();
}

}  // namespace millrace::MILLRACE_GPU
