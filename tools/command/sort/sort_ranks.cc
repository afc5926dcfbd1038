// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/ranks/distributed_sort.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/group/item_range.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/result_stream.h>
#include <millrace/runtime/timeline/timeline.h>
#include <millrace/tools/command/sort/sort_ranks.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

// The records of a rank, split into keys and values.
class RankRecords {
 public:
  RankRecords(const DistributedQueue& ranks, const SortInput& input, const SortFileOptions& options,
              const SortPlan& plan)
      : ranks_(ranks), input_(input), options_(options), shape_(plan.run_shape()) {
    const auto rank = static_cast<unsigned>(ranks.communicator.rank());
    const auto size = static_cast<unsigned>(ranks.communicator.size());
    first_ = even_cut(input.count(), rank, size);
    count_ = even_cut(input.count(), rank + 1, size) - first_;
  }

  void read() {
    // Memory to read, sort, receive and write.
    const std::size_t bytes = 4 * count_ * shape_.bytes();
    if (bytes > options_.memory_bytes) {
      reject("the portion of a rank takes " + std::to_string(bytes) + " bytes of memory, and has " +
             std::to_string(options_.memory_bytes) +
             "; take more ranks, or give a larger --memory");
    }
    const TimelineScope scope("host read", "portion", count_ * input_.shape().bytes());
    keys_.resize(count_ * shape_.key_bytes());
    values_.resize(count_ * shape_.value_bytes);
    std::vector<std::byte> records;
    for_each_block(input_.shape(), [&](std::size_t begin, std::size_t count) {
      records.resize(count * input_.shape().bytes());
      input_.read(first_ + begin, count, records.data());
      split_records(input_.shape(), records.data(), count,
                    keys_.data() + begin * shape_.key_bytes(),
                    values_.data() + begin * input_.shape().value_bytes);
    });
  }

  radix_sort::DistributedSortReport sort() {
    const bool has_values = shape_.value_bytes > 0;
    return radix_sort::sort(
        ranks_,
        {.key_type = shape_.type,
         .value_bytes = shape_.value_bytes,
         .is_argsort = options_.is_argsort,
         .order = options_.order,
         .count = count_,
         .keys_in = keys_.data(),
         .keys_out = keys_.data(),
         .values_in = has_values && !options_.is_argsort ? values_.data() : nullptr,
         .values_out = has_values ? values_.data() : nullptr,
         .space = MemorySpace::kHost,
         .codec = options_.codec},
        options_.policy);
  }

  // Passes this rank's range of the result to `take` in blocks, until that returns false.
  template <class Take>
  void write(const Take& take) const {
    bool is_wanted = true;
    std::vector<std::byte> records;
    for_each_block(shape_, [&](std::size_t begin, std::size_t count) {
      if (!is_wanted) return;
      const std::byte* const values = values_.data() + begin * shape_.value_bytes;
      if (options_.is_argsort) {
        is_wanted = take(std::span(values, count * shape_.value_bytes));
        return;
      }
      records.resize(count * shape_.bytes());
      join_records(shape_, keys_.data() + begin * shape_.key_bytes(), values, count,
                   records.data());
      is_wanted = take(std::span<const std::byte>(records));
    });
  }

 private:
  // Calls `work` for blocks of at most as many records as a message has.
  template <class Work>
  void for_each_block(const RecordShape& shape, const Work& work) const {
    const std::size_t block = std::max<std::size_t>(ranks_.message_bytes / shape.bytes(), 1);
    for (std::size_t begin = 0; begin < count_; begin += block) {
      work(begin, std::min(block, count_ - begin));
    }
  }

  const DistributedQueue& ranks_;
  const SortInput& input_;
  const SortFileOptions& options_;
  const RecordShape shape_;
  std::uint64_t first_ = 0;
  std::size_t count_ = 0;
  std::vector<std::byte> keys_;
  std::vector<std::byte> values_;
};

void write_all(Communicator& communicator, const RankRecords& own, std::ostream& out,
               SortWatch& watch) {
  ResultReader results(communicator);
  const auto put = [&](std::span<const std::byte> bytes) {
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
    watch.advance(bytes.size());
    return true;
  };
  own.write(put);
  for (int rank = 1; rank < communicator.size(); ++rank) {
    while (const auto result = results.next(rank)) put(*result);
  }
}

}  // namespace

SortFileReport sort_file_on_ranks(const DistributedQueue& ranks, const SortInput& input,
                                  const SortFileOptions& options, const SortPlan& plan,
                                  std::ostream* out, SortWatch& watch) {
  RankRecords own(ranks, input, options, plan);
  together(ranks.communicator, [&] {
    own.read();
    watch.check();
  });
  const radix_sort::DistributedSortReport sorted = own.sort();
  together(ranks.communicator, [&] {
    watch.check();
    if (out != nullptr) return write_all(ranks.communicator, own, *out, watch);
    ResultWriter results(ranks.communicator);
    own.write([&](std::span<const std::byte> bytes) { return results.write(bytes); });
    results.close();
  });
  SortFileReport report;
  report.add(sorted.local);
  report.sort_seconds = sorted.seconds;
  return report;
}

}  // namespace millrace::tools
