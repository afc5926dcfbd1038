// SPDX-License-Identifier: Apache-2.0

// Stands in for NVIDIA's management library in tests: two devices, the second throttled.
#include <cstdio>
#include <cstring>

namespace {

struct NvmlDevice {
  const char* uuid;
  unsigned mhz;
  unsigned degrees;
  unsigned long long throttle_reasons;
  unsigned long long millijoules;
};

// Reasons are "idle" and "thermal slowdown by software".
NvmlDevice devices[] = {{"GPU-aaaa", 1980, 41, 0x1, 5000}, {"GPU-bbbb", 1200, 88, 0x20, 7000}};

constexpr int kNotFound = 6;

}  // namespace

extern "C" {

int nvmlInit_v2() { return 0; }
int nvmlShutdown() { return 0; }

int nvmlDeviceGetHandleByIndex_v2(unsigned index, NvmlDevice** device) {
  if (index > 1) return kNotFound;
  *device = &devices[index];
  return 0;
}

int nvmlDeviceGetHandleByUUID(const char* uuid, NvmlDevice** device) {
  for (NvmlDevice& each : devices) {
    if (std::strcmp(each.uuid, uuid) != 0) continue;
    *device = &each;
    return 0;
  }
  return kNotFound;
}

int nvmlDeviceGetName(NvmlDevice*, char* name, unsigned bytes) {
  std::snprintf(name, bytes, "NVIDIA Fake 100");
  return 0;
}

int nvmlDeviceGetClockInfo(NvmlDevice* device, int type, unsigned* mhz) {
  *mhz = type == 1 ? device->mhz : 0;
  return 0;
}

int nvmlDeviceGetTemperature(NvmlDevice* device, int, unsigned* degrees) {
  *degrees = device->degrees;
  return 0;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(NvmlDevice* device, unsigned long long* reasons) {
  *reasons = device->throttle_reasons;
  return 0;
}

int nvmlDeviceGetTotalEnergyConsumption(NvmlDevice* device, unsigned long long* millijoules) {
  *millijoules = device->millijoules;
  device->millijoules += 250;
  return 0;
}

int nvmlSystemGetDriverVersion(char* version, unsigned bytes) {
  std::snprintf(version, bytes, "580.65.06");
  return 0;
}
}
