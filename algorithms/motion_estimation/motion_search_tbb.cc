// Motion search on the CPU.
#include <millrace/algorithms/motion_estimation/motion_ops.h>
#include <millrace/algorithms/motion_estimation/motion_reference.h>
#include <millrace/runtime/op_table.h>

namespace millrace::motion {
namespace {

template <class Sample>
void search_on_tbb(Queue& queue, const SearchFrame<Sample>& frame, const MotionField& field,
                   const SearchOptions& options) {
  queue.call([=] { search_motion_reference(frame, field, options); });
}

template <class Sample>
void decide_on_tbb(Queue& queue, const SearchFrame<Sample>& frame, const ReferenceFields& fields,
                   MacroblockMode* modes, const SearchOptions& options) {
  queue.call([=] {
    decide_modes_reference(frame, {fields.fields, static_cast<std::size_t>(fields.count)}, modes,
                           options);
  });
}

const RegisterOp<SearchMotionOp<std::uint8_t>> registered_8("tbb", &search_on_tbb<std::uint8_t>);
const RegisterOp<SearchMotionOp<std::uint16_t>> registered_10("tbb", &search_on_tbb<std::uint16_t>);
const RegisterOp<DecideModesOp<std::uint8_t>> registered_modes_8("tbb",
                                                                 &decide_on_tbb<std::uint8_t>);
const RegisterOp<DecideModesOp<std::uint16_t>> registered_modes_10("tbb",
                                                                   &decide_on_tbb<std::uint16_t>);

}  // namespace
}  // namespace millrace::motion
