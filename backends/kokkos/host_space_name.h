// SPDX-License-Identifier: Apache-2.0

// The execution spaces of Kokkos that are devices, and their names.
#ifndef MILLRACE_BACKENDS_KOKKOS_HOST_SPACE_NAME_H_
#define MILLRACE_BACKENDS_KOKKOS_HOST_SPACE_NAME_H_

#include <Kokkos_Core.hpp>

namespace millrace::kokkos {

// kDevice is the name for open_device. kIsSerial is true if the space has one thread.
template <class Space>
struct HostSpaceName {};
#ifdef KOKKOS_ENABLE_SERIAL
template <>
struct HostSpaceName<Kokkos::Serial> {
  static constexpr const char* kDevice = "kokkos:serial";
  static constexpr bool kIsSerial = true;
};
#endif
#ifdef KOKKOS_ENABLE_OPENMP
template <>
struct HostSpaceName<Kokkos::OpenMP> {
  static constexpr const char* kDevice = "kokkos:openmp";
  static constexpr bool kIsSerial = false;
};
#endif

}  // namespace millrace::kokkos

#endif  // MILLRACE_BACKENDS_KOKKOS_HOST_SPACE_NAME_H_
