// SPDX-License-Identifier: Apache-2.0

// Motion search on the CPU: rows of macroblocks are tasks, with SIMD within a row.
#include <millrace/algorithms/motion_estimation/cpu/half_samples.h>
#include <millrace/algorithms/motion_estimation/cpu/motion_refine_simd.h>
#include <millrace/algorithms/motion_estimation/cpu/motion_simd.h>
#include <millrace/algorithms/motion_estimation/cpu/search_rates.h>
#include <millrace/algorithms/motion_estimation/mode_choice.h>
#include <millrace/algorithms/motion_estimation/motion_ops.h>
#include <millrace/backends/cpu/task_target.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/runtime/tasks/indexed_tasks.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace millrace::motion {
namespace {

// Work on each row of macroblocks; several rows may be in progress at once.
class RowWork {
 public:
  virtual ~RowWork() = default;
  virtual void run(int row) const = 0;
};

struct MacroblockRow {
  static constexpr bool kSpawns = false;

  struct Arguments {
    const RowWork* work;
    int first_row;
  };
  Arguments arguments;
  std::size_t row;

  template <class Context>
  void operator()(Context& /*context*/) const {
    arguments.work->run(arguments.first_row + static_cast<int>(row));
  }
};

struct RowTasks : TaskSet<MacroblockRow> {
  using Arguments = MacroblockRow::Arguments;
};

void enqueue(Queue& queue, const MacroblockRows& rows, std::shared_ptr<const RowWork> work) {
  submit_tasks(queue, IndexedTasks<RowTasks>{.count = static_cast<std::size_t>(rows.count),
                                             .arguments = {work.get(), rows.first}});
  queue.call([work = std::move(work)] {});  // Keeps the work alive until the rows are done.
}

template <class Sample>
int macroblock_rows(const SearchFrame<Sample>& frame) {
  return frame.current.height / kMacroblockWidth;
}

// Computes the half samples of a reference, in the device's memory.
template <class Sample>
class InterpolateRows final : public RowWork {
 public:
  InterpolateRows(Device& device, const LumaPlane<Sample>& plane)
      : plane_(plane),
        memory_(device.pool(MemorySpace::kHost),
                HalfSamples<Sample>::size_of(plane.width, plane.height)),
        result_(HalfSamples<Sample>::in(memory_.data(), plane.width, plane.height)) {}

  const HalfSamples<Sample>& result() const { return result_; }

  void run(int row) const override { interpolate_row(plane_, row, result_); }

 private:
  const LumaPlane<Sample> plane_;
  Buffer<Sample> memory_;
  const HalfSamples<Sample> result_;
};

template <class Sample>
class SearchRows final : public RowWork {
 public:
  // `half_samples` may be null if the precision is kInteger.
  SearchRows(const SearchFrame<Sample>& frame, const MotionField& field,
             const SearchOptions& options,
             std::shared_ptr<const InterpolateRows<Sample>> half_samples)
      : frame_(frame),
        field_(field),
        precision_(options.precision),
        rates_(options.range, options.lambda),
        half_samples_(std::move(half_samples)) {}

  void run(int row) const override {
    search_row(frame_, rates_, row, field_);
    if (precision_ == Precision::kInteger) return;
    refine_row(frame_, half_samples_->result(), rates_, precision_, row, field_);
  }

 private:
  const SearchFrame<Sample> frame_;
  const MotionField field_;
  const Precision precision_;
  const SearchRates rates_;
  const std::shared_ptr<const InterpolateRows<Sample>> half_samples_;
};

template <class Sample>
void search_frame(Queue& queue, const SearchFrame<Sample>& frame, const MotionField& field,
                  const SearchOptions& options) {
  std::shared_ptr<const InterpolateRows<Sample>> half_samples;
  if (options.precision != Precision::kInteger) {
    half_samples = std::make_shared<const InterpolateRows<Sample>>(queue.device(), frame.reference);
    // All rows, as vectors may point anywhere.
    enqueue(queue, {0, macroblock_rows(frame)}, half_samples);
  }
  enqueue(queue, options.rows.of(macroblock_rows(frame)),
          std::make_shared<const SearchRows<Sample>>(frame, field, options, half_samples));
}

template <class Sample>
void search_on_cpu(Queue& queue, std::span<const SearchFrame<Sample>> frames,
                   std::span<const MotionField> fields, const SearchOptions& options) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    search_frame(queue, frames[i], fields[i], options);
  }
}

template <class Sample>
class DecideRows final : public RowWork {
 public:
  DecideRows(const SearchFrame<Sample>& frame, const ReferenceFields& fields, MacroblockMode* modes,
             const SearchOptions& options)
      : frame_(frame), fields_(fields), modes_(modes), options_(options) {}

  void run(int row) const override {
    const auto per_row = static_cast<std::size_t>(frame_.current.macroblocks_per_row());
    std::vector<std::uint32_t> distortions(per_row);
    find_skip_distortions(frame_, options_.precision, row, distortions.data());
    for (std::size_t column = 0; column < per_row; ++column) {
      const std::size_t macroblock = per_row * static_cast<std::size_t>(row) + column;
      modes_[macroblock] =
          ModeChoice(fields_, macroblock, options_.lambda).choose(distortions[column]);
    }
  }

 private:
  const SearchFrame<Sample> frame_;
  const ReferenceFields fields_;
  MacroblockMode* const modes_;
  const SearchOptions options_;
};

template <class Sample>
void decide_on_cpu(Queue& queue, const SearchFrame<Sample>& frame, const ReferenceFields& fields,
                   MacroblockMode* modes, const SearchOptions& options) {
  enqueue(queue, options.rows.of(macroblock_rows(frame)),
          std::make_shared<const DecideRows<Sample>>(frame, fields, modes, options));
}

const cpu::RegisterTasks<RowTasks> registered_rows;
const RegisterOp<SearchMotionOp<std::uint8_t>> registered_8(cpu::kTarget,
                                                            &search_on_cpu<std::uint8_t>);
const RegisterOp<SearchMotionOp<std::uint16_t>> registered_10(cpu::kTarget,
                                                              &search_on_cpu<std::uint16_t>);
const RegisterOp<DecideModesOp<std::uint8_t>> registered_modes_8(cpu::kTarget,
                                                                 &decide_on_cpu<std::uint8_t>);
const RegisterOp<DecideModesOp<std::uint16_t>> registered_modes_10(cpu::kTarget,
                                                                   &decide_on_cpu<std::uint16_t>);

}  // namespace
}  // namespace millrace::motion
