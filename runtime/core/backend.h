// SPDX-License-Identifier: Apache-2.0

// One kind of processor. A backend registers itself when it is linked; nothing else names it.
#ifndef MILLRACE_RUNTIME_CORE_BACKEND_H_
#define MILLRACE_RUNTIME_CORE_BACKEND_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <millrace/runtime/core/device.h>
#include <millrace/runtime/version.h>

namespace millrace {

class Backend {
 public:
  virtual ~Backend() = default;

  // Lower case, without a colon: "tbb", "cuda", ...
  virtual std::string_view name() const = 0;

  // The devices present now; empty where the driver or the hardware is missing.
  virtual std::vector<DeviceInfo> list_devices() const = 0;

  // Why list_devices() is empty, in words for people; "" when it is not, or nothing is known.
  virtual std::string why_empty() const { return ""; }

  // `index` counts through list_devices(). Opening a device twice gives the same one.
  virtual std::shared_ptr<Device> open_device(int index) = 0;
};

// Makes a backend available for the life of the program: one object of static storage in the
// backend's own source. Throws kInvalidArgument when the name is taken.
struct RegisterBackend {
  explicit RegisterBackend(std::unique_ptr<Backend> backend);
};

// Every linked backend, ordered by name.
std::vector<Backend*> linked_backends();

// Every device of every linked backend.
std::vector<DeviceInfo> list_devices();

// Opens by DeviceInfo::name; "cuda" alone means "cuda:0". Only the backend of that name is asked
// for its devices. Throws kNotFound with the names there are, and why that backend has none or is
// not there; what check_header_version() throws.
std::shared_ptr<Device> open_device(std::string_view name, int header_version = MILLRACE_VERSION);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_CORE_BACKEND_H_
