// SPDX-License-Identifier: Apache-2.0

// Frames and fields of tests (motion_test_input.h) in a device's memory.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_ON_DEVICE_TEST_HELPER_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_ON_DEVICE_TEST_HELPER_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/algorithms/motion_estimation/motion_test_input.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/queue.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::motion {

// Copies host memory to memory that the device reads.
template <class T>
class OnDevice {
 public:
  OnDevice(Queue& queue, const std::vector<T>& values)
      : buffer_(queue.device().shared_from_this(), MemorySpace::kDevice, values.size()) {
    std::vector<T> source = values;
    copy(queue, buffer_.span(), BufferSpan<T>(std::span<T>(source)));
    queue.wait();
  }

  T* data() { return buffer_.data(); }

  std::vector<T> read(Queue& queue) {
    std::vector<T> values(buffer_.size());
    copy(queue, BufferSpan<T>(std::span<T>(values)), buffer_.span());
    queue.wait();
    return values;
  }

 private:
  Buffer<T> buffer_;
};

template <class Sample>
class FrameOnDevice {
 public:
  FrameOnDevice(Queue& queue, const TestFrame<Sample>& frame)
      : frame_(frame),
        current_(queue, frame.current),
        reference_(queue, frame.reference),
        predictors_(queue, frame.predictors) {}

  SearchFrame<Sample> view() {
    SearchFrame<Sample> view = frame_.view();
    view.current.data = current_.data();
    view.reference.data = reference_.data();
    view.predictors = predictors_.data();
    return view;
  }

 private:
  const TestFrame<Sample>& frame_;
  OnDevice<Sample> current_;
  OnDevice<Sample> reference_;
  OnDevice<MotionVector> predictors_;
};

class FieldOnDevice {
 public:
  FieldOnDevice(Queue& queue, const TestField& field)
      : vectors_(queue, field.vectors), costs_(queue, field.costs) {}

  MotionField view() { return {vectors_.data(), costs_.data()}; }

  TestField read(Queue& queue) {
    TestField field(0);
    field.vectors = vectors_.read(queue);
    field.costs = costs_.read(queue);
    return field;
  }

 private:
  OnDevice<MotionVector> vectors_;
  OnDevice<std::uint32_t> costs_;
};

inline void expect_equal(const TestField& found, const TestField& expected) {
  ASSERT_EQ(found.costs.size(), expected.costs.size());
  for (std::size_t index = 0; index < expected.costs.size(); ++index) {
    SCOPED_TRACE(testing::Message()
                 << "macroblock " << index / kPartitions << ", partition " << index % kPartitions);
    ASSERT_EQ(found.costs[index], expected.costs[index]);
    ASSERT_EQ(found.vectors[index].x, expected.vectors[index].x);
    ASSERT_EQ(found.vectors[index].y, expected.vectors[index].y);
  }
}

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_ON_DEVICE_TEST_HELPER_H_
