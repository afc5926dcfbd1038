// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/gpu/host/side_streams.h>

namespace millrace::MILLRACE_GPU {

SideStreams::Side::Side(GpuDevice& device) : stream(device.take_stream()) {
  try {
    passed = create_event();
  } catch (...) {
    device.give_back(stream);
    throw;
  }
}

SideStreams::SideStreams(GpuDevice& device, Stream main)
    : device_(device), main_(main), forked_(create_event()) {}

SideStreams::~SideStreams() {
  for (const Side& side : sides_) {
    device_.try_with([&] { synchronize(side.stream); });
    destroy_event(side.passed);
    device_.give_back(side.stream);
  }
  destroy_event(forked_);
}

std::vector<Stream> SideStreams::fork(std::size_t count) {
  while (sides_.size() < count - 1) sides_.emplace_back(device_);
  in_use_ = count - 1;
  std::vector<Stream> streams{main_};
  if (in_use_ > 0) record(forked_, main_);
  for (std::size_t i = 0; i < in_use_; ++i) {
    wait_for(sides_[i].stream, forked_);
    streams.push_back(sides_[i].stream);
  }
  return streams;
}

void SideStreams::join() {
  for (std::size_t i = 0; i < in_use_; ++i) {
    record(sides_[i].passed, sides_[i].stream);
    wait_for(main_, sides_[i].passed);
  }
  in_use_ = 0;
}

void SideStreams::abandon() {
  for (std::size_t i = 0; i < in_use_; ++i) {
    device_.try_with([&] { synchronize(sides_[i].stream); });
  }
  in_use_ = 0;
}

}  // namespace millrace::MILLRACE_GPU
