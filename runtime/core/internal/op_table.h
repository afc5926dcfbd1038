// SPDX-License-Identifier: Apache-2.0

// An OpTable holds the implementations of one operation, one for each target that they are compiled
// for (DeviceInfo::target; two backends may have the same target). Each implementation registers
// itself in its own source. Linking it makes it available, and no caller names a backend.
//
//   struct SortOp { using Function = void(Queue&, const SortArguments&); };   // sort.h
//   const RegisterOp<SortOp> registered("cpu", &sort_on_cpu);                 // sort_cpu.cc
//   OpTable<SortOp>::at(queue)(queue, arguments);                             // sort.cc
#ifndef MILLRACE_RUNTIME_CORE_INTERNAL_OP_TABLE_H_
#define MILLRACE_RUNTIME_CORE_INTERNAL_OP_TABLE_H_

#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/queue.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace millrace {

// Op is a tag type whose member type `Function` is the signature. Entries are added before main
// starts and only read afterwards, so any thread may read them without a lock.
template <class Op>
class OpTable {
 public:
  using Function = typename Op::Function;

  // Adds the implementation for a target; RegisterOp calls it.
  static void add(std::string_view target, Function* function) {
    entries().functions[std::string(target)] = function;
  }

  // Returns the implementation for the queue's device, or null if there is none.
  static Function* find(const Queue& queue) {
    const auto& functions = entries().functions;
    const auto found = functions.find(queue.device().info().target);
    return found != functions.end() ? found->second : nullptr;
  }

  // Returns the implementation for the queue's device. Throws kUnsupported with the targets that
  // have one.
  static Function& at(const Queue& queue) {
    if (Function* const found = find(queue)) return *found;
    std::string others;
    for (const auto& [name, function] : entries().functions)
      others += (others.empty() ? "" : ", ") + name;
    throw Error(ErrorCode::kUnsupported,
                "this operation is not linked for '" + queue.device().info().target +
                    "'; it is linked for " +
                    (others.empty() ? "no backend of this program" : others) +
                    "; link its source for that target or open another device");
  }

 private:
  // This type hides std::string from the signature of entries(): g++ and clang++ mangle the local
  // statics of a function that names it differently, and a program compiled by both would have two
  // tables.
  struct Entries {
    std::map<std::string, Function*, std::less<>> functions;
  };

  static Entries& entries() {
    static Entries instance;
    return instance;
  }
};

// Adds one entry. The object has static storage duration, in the implementation's own source.
template <class Op>
struct RegisterOp {
  RegisterOp(std::string_view target, typename Op::Function* function) {
    OpTable<Op>::add(target, function);
  }
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_CORE_INTERNAL_OP_TABLE_H_
