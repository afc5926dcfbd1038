// SPDX-License-Identifier: Apache-2.0

// Backends and the devices they offer. A backend drives one kind of processor. It registers itself
// when it is linked, and nothing else names it.
//
//   for (const DeviceInfo& info : list_devices()) std::puts(info.name.c_str());
//   std::shared_ptr<Device> device = open_device("cuda:0");
//
// All functions here may be called from any thread.
#ifndef MILLRACE_RUNTIME_CORE_BACKEND_H_
#define MILLRACE_RUNTIME_CORE_BACKEND_H_

#include <millrace/runtime/core/device.h>
#include <millrace/runtime/version.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

// The interface that a backend implements. All members may be called from any thread.
class Backend {
 public:
  virtual ~Backend() = default;

  // Returns the name in lower case, without a colon: "tbb", "cuda", ...
  virtual std::string_view name() const = 0;

  // Returns the devices present now, or none if the driver or the hardware is missing.
  virtual std::vector<DeviceInfo> list_devices() const = 0;

  // Returns a sentence for people that says why list_devices() is empty, or "" if it is not empty
  // or the reason is unknown.
  virtual std::string why_empty() const { return ""; }

  // Opens the device at `index` in list_devices(). Opening a device twice returns the same object.
  virtual std::shared_ptr<Device> open_device(int index) = 0;
};

// Makes a backend available for the life of the program. Each backend has one object of this type,
// of static storage duration, in its own source. Throws kInvalidArgument if the name is taken.
struct RegisterBackend {
  explicit RegisterBackend(std::unique_ptr<Backend> backend);
};

// Returns all linked backends in the order of their names. The program must not delete them.
std::vector<Backend*> linked_backends();

// Returns the devices of all linked backends.
std::vector<DeviceInfo> list_devices();

// Opens a device by DeviceInfo::name; "cuda" alone means "cuda:0". Only the backend of that name
// lists its devices. The device is closed when the last shared pointer to it, or to anything made
// from it, is destroyed. Throws kNotFound with the names of all devices and, if it is known, the
// reason why this one is missing. Throws what check_header_version() throws.
std::shared_ptr<Device> open_device(std::string_view name, int header_version = MILLRACE_VERSION);

// Returns the text of a MILLRACE_VERSION, such as "0.1.0".
std::string version_text(int version);

// Compares MILLRACE_VERSION as the caller was compiled with it to that of this library. Throws
// kUnsupported with both if they differ, because C++ classes and templates change with each
// version. (C programs may be older than the library; see bindings/c/millrace.h.)
void check_header_version(int header_version);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_CORE_BACKEND_H_
