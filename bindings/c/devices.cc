// SPDX-License-Identifier: Apache-2.0
#include <millrace/bindings/c/call.h>
#include <millrace/runtime/core/backend.h>

#include <cstddef>
#include <string>
#include <vector>

namespace millrace::c {

void check_version(int header) {
  constexpr int kMajor = 10000;
  const bool is_same_major = header >= 0 && header / kMajor == MILLRACE_VERSION / kMajor;
  if (is_same_major && header <= MILLRACE_VERSION) return;
  throw VersionMismatch("the program was compiled with the headers of Millrace " +
                        version_text(header) + " and runs with the library of Millrace " +
                        version_text(MILLRACE_VERSION) +
                        "; use the library of that version, or a newer one of the same major "
                        "version");
}

void put_info(millrace_device_info* target, const DeviceInfo& info) {
  millrace_device_info whole = read_struct(target, "info", &millrace_device_info::is_simulated);
  put_text(whole.name, info.name);
  put_text(whole.backend, info.backend);
  put_text(whole.description, info.description);
  whole.memory_bytes = info.memory_bytes;
  whole.compute_units = info.compute_units;
  whole.warp_width = info.warp_width;
  whole.shares_host_memory = info.shares_host_memory ? 1 : 0;
  whole.is_simulated = info.is_simulated ? 1 : 0;
  write_struct(target, whole);
}

extern "C" {

millrace_status millrace_device_count(size_t* count) {
  return call([&] {
    check_not_null(count, "count");
    *count = list_devices().size();
  });
}

millrace_status millrace_device_describe(size_t index, millrace_device_info* info) {
  return call([&] {
    const std::vector<DeviceInfo> devices = list_devices();
    if (index >= devices.size()) {
      reject("index is " + std::to_string(index) + "; there are " + std::to_string(devices.size()) +
             " devices, counted from 0");
    }
    put_info(info, devices[index]);
  });
}

millrace_status millrace_device_open_version(int32_t header_version, const char* name,
                                             millrace_device** device) {
  return call([&] {
    check_version(header_version);
    check_not_null(name, "name");
    check_not_null(device, "device");
    *device = make_handle<millrace_device>(HandleKind::kDevice, open_device(name));
  });
}

millrace_status millrace_device_get_info(const millrace_device* device,
                                         millrace_device_info* info) {
  return call([&] { put_info(info, find_device(device)->info()); });
}

millrace_status millrace_device_close(millrace_device* device) {
  return call([&] { free_handle(device, {HandleKind::kDevice, "device"}); });
}

}  // extern "C"

}  // namespace millrace::c
