// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/device_memory.h>
#include <millrace/algorithms/h264/reconstruction/reconstruction_input.h>
#include <millrace/algorithms/h264/reconstruction/tasks/reconstruct_on.h>
#include <millrace/algorithms/h264/reconstruction/tasks/reconstruction_tasks.h>
#include <millrace/runtime/host/scratch_memory.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace millrace::h264 {
namespace {

std::size_t plane_size(const SamplePicture& samples, int plane) {
  return static_cast<std::size_t>(samples.width(plane)) *
         static_cast<std::size_t>(samples.height(plane));
}

// Planes of a picture on a device.
class DeviceSamples {
 public:
  DeviceSamples(DeviceMemory& memory, const SamplePicture& size) {
    for (int plane = 0; plane < 3; ++plane) {
      planes_[plane] = memory.make<std::uint8_t>(plane_size(size, plane));
    }
  }

  std::uint8_t* plane(int plane) { return planes_[plane].data(); }

  void upload(Queue& queue, const SamplePicture& samples) {
    for (int plane = 0; plane < 3; ++plane) {
      const std::span<const std::uint8_t> host(samples.plane(plane), plane_size(samples, plane));
      copy(queue, planes_[plane].span(), BufferSpan<const std::uint8_t>(host));
    }
  }
  void download(Queue& queue, SamplePicture& samples) {
    for (int plane = 0; plane < 3; ++plane) {
      const std::span<std::uint8_t> host(samples.plane(plane), plane_size(samples, plane));
      copy(queue, BufferSpan<std::uint8_t>(host), planes_[plane].span());
    }
  }

 private:
  Buffer<std::uint8_t> planes_[3];
};

// The pictures that jobs read, each uploaded once.
class DeviceReferences {
 public:
  DeviceReferences(Queue& queue, DeviceMemory& memory) : queue_(queue), memory_(memory) {}

  DeviceSamples& at(const SamplePicture& samples) {
    std::unique_ptr<DeviceSamples>& stored = pictures_[&samples];
    if (stored == nullptr) {
      stored = std::make_unique<DeviceSamples>(memory_, samples);
      stored->upload(queue_, samples);
    }
    return *stored;
  }

 private:
  Queue& queue_;
  DeviceMemory& memory_;
  std::map<const SamplePicture*, std::unique_ptr<DeviceSamples>> pictures_;
};

// One job's memory of the device.
class DevicePicture {
 public:
  DevicePicture(const ReconstructionJob& job, DeviceMemory& memory, DeviceReferences& references)
      : input_(*job.picture, job.find),
        host_output_(*job.output),
        slices_(on_device(references)),
        output_(memory, *job.output),
        macroblocks_buffer_(memory.upload(job.picture->macroblocks)),
        list_buffer_(memory.upload(job.picture->coefficients.list())),
        ranges_buffer_(memory.upload(job.picture->coefficients.ranges())),
        coefficients_buffer_(
            memory.make_zeros<MacroblockCoefficients>(job.picture->coefficients.size())),
        slices_buffer_(memory.upload(slices_)),
        guard_(memory.queue()) {
    const PictureView view = input_.view(host_output_);
    for (int row = 0; row < view.rows; ++row) {
      for (int column = 0; column < view.columns; ++column) {
        prediction_.push_back(prediction_arrivals(column, row));
        deblocking_.push_back(deblocking_arrivals(column, row));
      }
    }
    prediction_buffer_ = memory.upload(prediction_);
    deblocking_buffer_ = memory.upload(deblocking_);
    work_.picture = view;
    work_.picture.macroblocks = macroblocks_buffer_.data();
    if (view.coefficient_ranges != nullptr) {
      work_.picture.coefficients = list_buffer_.data();
      work_.picture.coefficient_ranges = ranges_buffer_.data();
    }
    work_.coefficients = coefficients_buffer_.data();
    work_.picture.slices = slices_buffer_.data();
    for (int plane = 0; plane < 3; ++plane) {
      work_.picture.concealment[plane] = references.at(input_.concealment()).plane(plane);
      work_.picture.planes[plane] = output_.plane(plane);
    }
    work_.prediction_missing = prediction_buffer_.data();
    work_.deblocking_missing = deblocking_buffer_.data();
  }

  const PictureWork& work() const { return work_; }
  void download(Queue& queue) { output_.download(queue, host_output_); }

 private:
  // Returns the slices with the addresses of the references on the device.
  std::vector<SliceView> on_device(DeviceReferences& references) const {
    std::map<const std::uint8_t*, const SamplePicture*> by_plane;
    for (const SamplePicture* source : input_.sources()) by_plane[source->plane(0)] = source;
    std::vector<SliceView> slices = input_.slices();
    for (SliceView& slice : slices) {
      for (auto& list : slice.references) {
        for (ReferenceView& reference : list) {
          DeviceSamples& samples = references.at(*by_plane.at(reference.planes[0]));
          for (int plane = 0; plane < 3; ++plane) reference.planes[plane] = samples.plane(plane);
        }
      }
    }
    return slices;
  }

  const ReconstructionInput input_;
  SamplePicture& host_output_;
  const std::vector<SliceView> slices_;
  std::vector<std::uint32_t> prediction_, deblocking_;
  DeviceSamples output_;
  Buffer<Macroblock> macroblocks_buffer_;
  Buffer<CodedCoefficient> list_buffer_;
  Buffer<CoefficientRange> ranges_buffer_;
  Buffer<MacroblockCoefficients> coefficients_buffer_;
  Buffer<SliceView> slices_buffer_;
  Buffer<std::uint32_t> prediction_buffer_, deblocking_buffer_;
  PictureWork work_ = {};
  const QueueGuard guard_;  // Last: it is destroyed before what copies read.
};

}  // namespace

RunReport reconstruct_on(Queue& queue, std::span<const ReconstructionJob> jobs,
                         const RunOptions& options) {
  DeviceMemory memory(queue);
  DeviceReferences references(queue, memory);
  std::vector<std::unique_ptr<DevicePicture>> pictures;
  std::vector<PictureWork> works;
  for (const ReconstructionJob& job : jobs) {
    pictures.push_back(std::make_unique<DevicePicture>(job, memory, references));
    works.push_back(pictures.back()->work());
  }
  const QueueGuard guard(queue);
  const Buffer<PictureWork> works_on_device = memory.upload(works);
  queue.wait();
  TaskList<ReconstructionTasks> roots;
  for (std::size_t i = 0; i < works.size(); ++i) {
    roots.push(PredictMacroblock{works_on_device.data() + i, 0, 0});
  }
  const RunReport report = run_tasks(queue, roots, options);
  for (const auto& picture : pictures) picture->download(queue);
  queue.wait();
  return report;
}

}  // namespace millrace::h264
