// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/gpu/device/control/worker_record.h>
#include <millrace/backends/gpu/gpu_test.h>
#include <millrace/backends/gpu/run/worker_records.h>

#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

using WorkerRecordsTest = GpuTest;

std::vector<std::uint32_t> heartbeats(const WorkerRecords& records) {
  std::vector<std::uint32_t> result;
  for (const WorkerRecord& record : records.read()) result.push_back(record.heartbeat);
  return result;
}

// Writes the records that a launch's workers would leave.
void write(GpuQueue& queue, const RecordedWorkers& recorded, std::uint32_t first, int workers) {
  std::vector<WorkerRecord> records(static_cast<std::size_t>(workers));
  for (WorkerRecord& record : records) record.heartbeat = first++;
  copy(recorded.records, records.data(), records.size() * sizeof(WorkerRecord), queue.stream());
}

TEST_F(WorkerRecordsTest, ARunKeepsWhatItsLaunchesLeave) {
  const auto check = [this] {
    WorkerRecords records(*queue);
    records.begin();
    EXPECT_TRUE(records.read().empty());
    const RecordedWorkers first = records.of_launch(2, /*all_write=*/false);
    EXPECT_TRUE(first.adds);
    EXPECT_EQ(heartbeats(records), (std::vector<std::uint32_t>{0, 0}));
    write(*queue, first, 5, 2);
    EXPECT_TRUE(records.of_launch(1, /*all_write=*/false).adds);
    EXPECT_TRUE(records.of_launch(1000, /*all_write=*/true).adds);
    std::vector<std::uint32_t> expected(1000, 0);
    expected[0] = 5;
    expected[1] = 6;
    EXPECT_EQ(heartbeats(records), expected);
  };
  queue->enqueue(check, GpuQueue::Start::kNow);
  queue->wait();
}

TEST_F(WorkerRecordsTest, ARunHasNothingOfTheOneBefore) {
  const auto check = [this] {
    WorkerRecords records(*queue);
    write(*queue, records.of_launch(4, /*all_write=*/true), 1, 4);
    records.begin();
    EXPECT_FALSE(records.of_launch(3, /*all_write=*/true).adds);
    EXPECT_EQ(records.read().size(), 3u);
    records.begin();
    EXPECT_TRUE(records.of_launch(2, /*all_write=*/false).adds);
    EXPECT_TRUE(records.of_launch(4, /*all_write=*/true).adds);
    EXPECT_EQ(heartbeats(records), (std::vector<std::uint32_t>(4, 0)));
  };
  queue->enqueue(check, GpuQueue::Start::kNow);
  queue->wait();
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU
