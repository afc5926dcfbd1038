// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/device_memory.h>
#include <millrace/algorithms/h264/reconstruction/reconstruction_input.h>
#include <millrace/algorithms/h264/reconstruction/tasks/reconstruct_on.h>
#include <millrace/algorithms/h264/reconstruction/tasks/reconstruction_tasks.h>
#include <millrace/algorithms/h264/reconstruction/views/slice_views.h>
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
class DevicePlanes {
 public:
  DevicePlanes(DeviceMemory& memory, const SamplePicture& size) {
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

  DevicePlanes& at(const SamplePicture& samples) {
    std::unique_ptr<DevicePlanes>& stored = pictures_[&samples];
    if (stored == nullptr) {
      stored = std::make_unique<DevicePlanes>(memory_, samples);
      stored->upload(queue_, samples);
    }
    return *stored;
  }

 private:
  Queue& queue_;
  DeviceMemory& memory_;
  std::map<const SamplePicture*, std::unique_ptr<DevicePlanes>> pictures_;
};

// Elements of one kind, written on the host and read on the device.
template <class T>
class UploadedArray {
 public:
  UploadedArray(DeviceMemory& memory, std::size_t count)
      : host_(count), device_(memory.make<T>(count)) {}

  WrittenArray<T> array() { return {host_.data(), device_.data()}; }
  void upload(DeviceMemory& memory) { memory.upload(std::span<const T>(host_), device_, 0); }

 private:
  std::vector<T> host_;
  Buffer<T> device_;
};

// One job's memory of the device.
class JobMemory {
 public:
  JobMemory(const ReconstructionJob& job, bool is_one_task, DeviceMemory& memory,
            DeviceReferences& references)
      : input_(*job.picture, job.find),
        host_output_(*job.output),
        counts_(count_slice_views(input_.prediction())),
        slices_(memory, counts_.slices),
        references_(memory, counts_.references),
        weights_(memory, counts_.weights),
        implicit_weights_(memory, counts_.implicit_weights),
        output_(memory, *job.output),
        macroblocks_(memory.upload(job.picture->macroblocks)),
        list_(memory.upload(job.picture->coefficients.list())),
        ranges_(memory.upload(job.picture->coefficients.ranges())),
        guard_(memory.queue()) {
    upload_slices(memory, references);
    work_.picture = input_.view(host_output_);
    work_.picture.macroblocks = macroblocks_.data();
    if (work_.picture.coefficient_ranges != nullptr) {
      work_.picture.coefficients = list_.data();
      work_.picture.coefficient_ranges = ranges_.data();
    }
    work_.picture.slices = slices_.array().reader;
    const SamplePicture& concealment = input_.samples_of(input_.prediction().concealment);
    for (int plane = 0; plane < 3; ++plane) {
      work_.picture.concealment[plane] = references.at(concealment).plane(plane);
      work_.picture.planes[plane] = output_.plane(plane);
    }
    if (!is_one_task) make_counters(memory);
  }

  const PictureWork& work() const { return work_; }
  void download(Queue& queue) { output_.download(queue, host_output_); }

 private:
  void upload_slices(DeviceMemory& memory, DeviceReferences& references) {
    const auto planes_of = [&](std::int32_t source) {
      DevicePlanes& samples = references.at(input_.samples_of(source));
      return SourcePlanes{{samples.plane(0), samples.plane(1), samples.plane(2)}};
    };
    write_slice_views(input_.prediction(), planes_of,
                      {.slices = slices_.array(),
                       .references = references_.array(),
                       .weights = weights_.array(),
                       .implicit_weights = implicit_weights_.array()});
    slices_.upload(memory);
    references_.upload(memory);
    weights_.upload(memory);
    implicit_weights_.upload(memory);
  }

  void make_counters(DeviceMemory& memory) {
    const PictureView& picture = work_.picture;
    const std::size_t count =
        static_cast<std::size_t>(picture.columns) * static_cast<std::size_t>(picture.rows);
    prediction_.resize(count);
    deblocking_.resize(count);
    set_arrivals(picture.columns, picture.rows, prediction_.data(), deblocking_.data());
    prediction_buffer_ = memory.upload(prediction_);
    deblocking_buffer_ = memory.upload(deblocking_);
    work_.prediction_missing = prediction_buffer_.data();
    work_.deblocking_missing = deblocking_buffer_.data();
  }

  ReconstructionInput input_;
  SamplePicture& host_output_;
  const SliceViewCounts counts_;
  UploadedArray<SliceView> slices_;
  UploadedArray<ReferenceView> references_;
  UploadedArray<PredictionWeight> weights_;
  UploadedArray<std::int16_t> implicit_weights_;
  std::vector<std::uint32_t> prediction_, deblocking_;
  DevicePlanes output_;
  Buffer<Macroblock> macroblocks_;
  Buffer<CodedCoefficient> list_;
  Buffer<CoefficientRange> ranges_;
  Buffer<std::uint32_t> prediction_buffer_, deblocking_buffer_;
  PictureWork work_ = {};
  const QueueGuard guard_;  // Last: it is destroyed before what copies read.
};

}  // namespace

bool are_enough_pictures(const Queue& queue, std::size_t pictures) {
  constexpr std::size_t kPicturesAUnit = 2;  // A warp alone has a multiprocessor wait for memory.
  return pictures >= kPicturesAUnit * static_cast<std::size_t>(queue.device().info().compute_units);
}

RunReport reconstruct_on(Queue& queue, std::span<const ReconstructionJob> jobs,
                         const ReconstructionOptions& options) {
  const bool is_one_task =
      options.tasks == PictureTasks::kOne ||
      (options.tasks == PictureTasks::kByCount && are_enough_pictures(queue, jobs.size()));
  DeviceMemory memory(queue);
  DeviceReferences references(queue, memory);
  std::vector<std::unique_ptr<JobMemory>> pictures;
  std::vector<PictureWork> works;
  for (const ReconstructionJob& job : jobs) {
    pictures.push_back(std::make_unique<JobMemory>(job, is_one_task, memory, references));
    works.push_back(pictures.back()->work());
  }
  const QueueGuard guard(queue);
  Buffer<PictureWork> works_on_device = memory.upload(works);
  queue.wait();
  TaskList<ReconstructionTasks> roots;
  for (std::size_t i = 0; i < works.size(); ++i) {
    PictureWork* const work = works_on_device.data() + i;
    if (is_one_task) {
      roots.push(ReconstructPicture{work});
    } else {
      roots.push(PredictMacroblock{work, 0, 0});
    }
  }
  const RunReport report = run_tasks(queue, roots, options.run);
  for (const auto& picture : pictures) picture->download(queue);
  queue.wait();
  return report;
}

}  // namespace millrace::h264
