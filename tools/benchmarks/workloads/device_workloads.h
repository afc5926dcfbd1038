// SPDX-License-Identifier: Apache-2.0

// Workloads of devices and what connects them: codecs, pipelines, groups and ranks.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_DEVICE_WORKLOADS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_DEVICE_WORKLOADS_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <vector>

namespace millrace::tools {

// Encoding and decoding of chunks, beside copies of the same bytes. A size is a number of integers,
// and so is an item. Each run has the value "bits per item" of the coded chunk. On a device with
// memory of its own a CPU encodes and decodes beside it, its bytes are compared with the device's,
// and the values "coded to raw, up" and "coded to raw, down" are the expected time of a chunk that
// crosses the link coded to that of a raw one, where chunks overlap.
std::vector<Workload> codec_workloads();

// Pipelines that compute next to nothing: how much of a link they keep busy, and what a chunk
// costs. The size of micro-pipeline is a number of bytes each way, that of micro-chunk a number of
// chunks of 64 bytes. The strategies of micro-pipeline have equal numbers of chunks for all sizes:
// of 1 GiB, 256 chunks are of 4 MiB, 64 of 16 MiB and 16 of 64 MiB. They are in pinned memory,
// which the queues copy, but for 64 chunks at depth 6 in pageable memory: "by queues", which stage
// it, and "by stages" of the pipeline, which copy it to and from its pinned memory.
std::vector<Workload> pipeline_workloads();

// Work that a group of devices shares, beside the first of them alone: strategies "group" and
// "one", which are checked against each other or against the reference. The group's values are
// "fraction of NAME" for each device: its fraction of the items, in the run of the check. Speeds
// are known by then, from a run before.
std::vector<Workload> group_workloads();

// Work that ranks share. Inputs are "strong", where the size is that of all ranks' work, and
// "weak", where it is that of one rank's. Strategies are the first 1, 2, 4 ... ranks, and all of
// them where these are another number. A time is that of the slowest rank. Each run has the value
// "ranks". The efficiency of n ranks is their items per second to n times those of one.
std::vector<Workload> rank_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_DEVICE_WORKLOADS_H_
