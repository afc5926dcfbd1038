// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/bindings/c/call.h>

#include <cstddef>
#include <string>

namespace millrace::c {
namespace {

using radix_sort::KeyType;
using radix_sort::SortArguments;
using radix_sort::SortOrder;

KeyType key_type_of(millrace_key_type type) {
  switch (type) {
    case MILLRACE_U32: return KeyType::kU32;
    case MILLRACE_U64: return KeyType::kU64;
    case MILLRACE_I32: return KeyType::kI32;
    case MILLRACE_I64: return KeyType::kI64;
    case MILLRACE_F32: return KeyType::kF32;
    case MILLRACE_F64: return KeyType::kF64;
    case MILLRACE_U8: return KeyType::kU8;
    case MILLRACE_U16: return KeyType::kU16;
    case MILLRACE_I8: return KeyType::kI8;
    case MILLRACE_I16: return KeyType::kI16;
    case MILLRACE_F16: return KeyType::kF16;
  }
  reject("arguments->key_type is " + std::to_string(static_cast<int>(type)) +
         "; it must be one of MILLRACE_U32 to MILLRACE_F16");
}

// Sorts on a Queue or DeviceGroup.
template <class On>
void sort_on(On& on, const millrace_sort_arguments* arguments) {
  const auto given = read_struct(arguments, "arguments", &millrace_sort_arguments::policy);
  const SortArguments sort = {
      .key_type = key_type_of(given.key_type),
      .value_bytes = given.value_bytes,
      .is_argsort = given.is_argsort != 0,
      .order = given.is_descending != 0 ? SortOrder::kDescending : SortOrder::kAscending,
      .count = given.count,
      .keys_in = given.keys_in,
      .keys_out = given.keys_out,
      .values_in = given.values_in,
      .values_out = given.values_out,
      .space = space_of(given.space)};
  radix_sort::sort(on, sort, policy_of(given.policy));
}

}  // namespace

extern "C" {

millrace_status millrace_sort(millrace_queue* queue, const millrace_sort_arguments* arguments) {
  return call([&] { sort_on(*find_queue(queue), arguments); });
}

millrace_status millrace_group_sort(millrace_group* group,
                                    const millrace_sort_arguments* arguments) {
  return call([&] {
    const GroupUse use(group);
    sort_on(use.group(), arguments);
  });
}

}  // extern "C"

}  // namespace millrace::c
