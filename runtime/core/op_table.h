// SPDX-License-Identifier: Apache-2.0

// An operation's implementations, keyed by target, which is what they are compiled for
// (DeviceInfo::target; devices of two backends may have the same). Each implementation registers
// itself where it is compiled, so that linking it makes it available and no caller names a backend.
//
//   struct SortOp { using Function = void(Queue&, const SortArguments&); };   // sort.h
//   const RegisterOp<SortOp> registered("cpu", &sort_on_cpu);                 // sort_cpu.cc
//   OpTable<SortOp>::at(queue)(queue, arguments);                             // sort.cc
#ifndef MILLRACE_RUNTIME_CORE_OP_TABLE_H_
#define MILLRACE_RUNTIME_CORE_OP_TABLE_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/queue.h>

namespace millrace {

// Op is a tag type with a member `Function`, the signature. Entries are added before main and only
// read after, so reading needs no lock.
template <class Op>
class OpTable {
 public:
  using Function = typename Op::Function;

  static void add(std::string_view target, Function* function) {
    entries().functions[std::string(target)] = function;
  }

  // The implementation for the queue's device; null where there is none.
  static Function* find(const Queue& queue) {
    const auto& functions = entries().functions;
    const auto found = functions.find(queue.device().info().target);
    return found != functions.end() ? found->second : nullptr;
  }

  // The same. Throws kUnsupported with the backends there are.
  static Function& at(const Queue& queue) {
    if (Function* const found = find(queue)) return *found;
    std::string others;
    for (const auto& [name, function] : entries().functions)
      others += (others.empty() ? "" : ", ") + name;
    throw Error(ErrorCode::kUnsupported,
                "this operation is not linked for '" + queue.device().info().target +
                    "'; it is linked for " +
                    (others.empty() ? "no backend of this program" : others));
  }

 private:
  // A type that does not name std::string: of a function that does, g++ and clang++ call the local
  // statics differently, and a program compiled by both would have two tables.
  struct Entries {
    std::map<std::string, Function*, std::less<>> functions;
  };

  static Entries& entries() {
    static Entries instance;
    return instance;
  }
};

// Adds one entry: an object of static storage in the implementation's own source.
template <class Op>
struct RegisterOp {
  RegisterOp(std::string_view backend, typename Op::Function* function) {
    OpTable<Op>::add(backend, function);
  }
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_CORE_OP_TABLE_H_
