// Motion search on the CPU: rows of macroblocks are tasks, SIMD within a row.
#include <millrace/algorithms/motion_estimation/motion_ops.h>
#include <millrace/algorithms/motion_estimation/motion_rates.h>
#include <millrace/algorithms/motion_estimation/motion_reference.h>
#include <millrace/algorithms/motion_estimation/motion_simd.h>
#include <millrace/backends/tbb/task_target.h>

#include <cstddef>
#include <memory>
#include <utility>

#include <millrace/runtime/indexed_tasks.h>
#include <millrace/runtime/op_table.h>
#include <millrace/runtime/run_tasks.h>

namespace millrace::motion {
namespace {

// What is done for each row of macroblocks; rows may be at work at once.
class RowWork {
 public:
  virtual ~RowWork() = default;
  virtual void run(int row) const = 0;
};

struct MacroblockRow {
  static constexpr bool kSpawns = false;

  struct Arguments {
    const RowWork* work;
  };
  Arguments arguments;
  std::size_t row;

  template <class Context>
  void operator()(Context& /*context*/) const {
    arguments.work->run(static_cast<int>(row));
  }
};

struct RowTasks : TaskSet<MacroblockRow> {
  using Arguments = MacroblockRow::Arguments;
};

void enqueue(Queue& queue, int rows, std::shared_ptr<const RowWork> work) {
  submit_tasks(queue, IndexedTasks<RowTasks>{.count = static_cast<std::size_t>(rows),
                                             .arguments = {work.get()}});
  queue.call([work = std::move(work)] {});  // Keeps it until the rows are done.
}

template <class Sample>
int macroblock_rows(const SearchFrame<Sample>& frame) {
  return frame.current.height / kMacroblockWidth;
}

template <class Sample>
class SearchRows final : public RowWork {
 public:
  SearchRows(const SearchFrame<Sample>& frame, const MotionField& field,
             const SearchOptions& options)
      : frame_(frame), field_(field), rates_(options.range, options.lambda) {}

  void run(int row) const override { search_row(frame_, rates_, row, field_); }

 private:
  const SearchFrame<Sample> frame_;
  const MotionField field_;
  const SearchRates rates_;
};

template <class Sample>
void search_on_tbb(Queue& queue, const SearchFrame<Sample>& frame, const MotionField& field,
                   const SearchOptions& options) {
  if (options.precision != Precision::kInteger) {
    queue.call([=] { search_motion_reference(frame, field, options); });
    return;
  }
  enqueue(queue, macroblock_rows(frame),
          std::make_shared<SearchRows<Sample>>(frame, field, options));
}

template <class Sample>
void decide_on_tbb(Queue& queue, const SearchFrame<Sample>& frame, const ReferenceFields& fields,
                   MacroblockMode* modes, const SearchOptions& options) {
  queue.call([=] {
    decide_modes_reference(frame, {fields.fields, static_cast<std::size_t>(fields.count)}, modes,
                           options);
  });
}

const tbb_backend::RegisterTasks<RowTasks> registered_rows;
const RegisterOp<SearchMotionOp<std::uint8_t>> registered_8("tbb", &search_on_tbb<std::uint8_t>);
const RegisterOp<SearchMotionOp<std::uint16_t>> registered_10("tbb", &search_on_tbb<std::uint16_t>);
const RegisterOp<DecideModesOp<std::uint8_t>> registered_modes_8("tbb",
                                                                 &decide_on_tbb<std::uint8_t>);
const RegisterOp<DecideModesOp<std::uint16_t>> registered_modes_10("tbb",
                                                                   &decide_on_tbb<std::uint16_t>);

}  // namespace
}  // namespace millrace::motion
