// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/algorithms/radix_sort/resident_sort.h>
#include <millrace/algorithms/radix_sort/sort_memory.h>
#include <millrace/algorithms/radix_sort/sort_steps.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace millrace::radix_sort {
namespace {

class ResidentSort {
 public:
  ResidentSort(Queue& queue, const DeviceSortSteps& steps, const SortArguments& arguments,
               SortMemory& memory)
      : queue_(queue),
        arguments_(arguments),
        steps_(steps),
        size_{std::max<std::size_t>(key_bytes(arguments.key_type), 4), arguments.value_bytes},
        memory_(memory) {}

  void enqueue() {
    const std::size_t count = arguments_.count;
    const Records in{ordered_keys(), values()};
    const Records out{arguments_.keys_out, arguments_.values_out};
    const bool has_own_keys = out.keys == nullptr || is_narrow();
    const Records to{has_own_keys ? take(size_.key) : out.keys, out.values};
    void* const scratch =
        memory_.take(MemorySpace::kDevice, steps_.scratch_bytes(queue_, size_, count));
    steps_.sort(queue_, {.size = size_,
                         .first_bit = arguments_.bits.first,
                         .key_bits = arguments_.bits.end_of(arguments_.key_type),
                         .in = {in, count},
                         .out = to,
                         .scratch = scratch});
    if (maps() && out.keys != nullptr) map_keys(false, to.keys, out.keys);
  }

 private:
  // Returns true for keys that are sorted as words of 4 bytes.
  bool is_narrow() const { return key_bytes(arguments_.key_type) < size_.key; }

  // Returns true if the sorted bits differ from those of the keys.
  bool maps() const {
    return is_narrow() ||
           !KeyBits<std::uint64_t>::of(arguments_.key_type, arguments_.order).is_identity();
  }

  void* take(std::size_t element_bytes) {
    return memory_.take(MemorySpace::kDevice, element_bytes * arguments_.count);
  }

  void map_keys(bool to_ordered, const void* from, void* to) const {
    steps_.map_keys(queue_, {.type = arguments_.key_type,
                             .order = arguments_.order,
                             .to_ordered = to_ordered,
                             .from = from,
                             .to = to,
                             .count = arguments_.count});
  }

  // Returns the input, or a copy if the output overwrites it: steps do not work in place.
  void* disjoint(const void* in, const void* out, std::size_t element_bytes) {
    if (in != out) return const_cast<void*>(in);
    void* const copied = take(element_bytes);
    queue_.copy(copied, in, element_bytes * arguments_.count);
    return copied;
  }

  void* ordered_keys() {
    if (!maps()) return disjoint(arguments_.keys_in, arguments_.keys_out, size_.key);
    void* const ordered = take(size_.key);
    map_keys(true, arguments_.keys_in, ordered);
    return ordered;
  }

  void* values() {
    if (size_.value == 0) return nullptr;
    if (!arguments_.is_argsort) {
      return disjoint(arguments_.values_in, arguments_.values_out, size_.value);
    }
    void* const indices = take(size_.value);
    steps_.number(queue_, size_.value, indices, 0, arguments_.count);
    return indices;
  }

  Queue& queue_;
  const SortArguments& arguments_;
  const DeviceSortSteps& steps_;
  const RecordSize size_;
  SortMemory& memory_;
};

}  // namespace

void enqueue_resident_sort(Queue& queue, const DeviceSortSteps& steps,
                           const SortArguments& arguments, SortMemory& memory) {
  ResidentSort(queue, steps, arguments, memory).enqueue();
}

void sort_resident(Queue& queue, const DeviceSortSteps& steps, const SortArguments& arguments) {
  SortMemory memory(queue);
  const QueueGuard guard(queue);
  enqueue_resident_sort(queue, steps, arguments, memory);
  queue.wait();
}

}  // namespace millrace::radix_sort
