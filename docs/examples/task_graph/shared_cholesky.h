// SPDX-License-Identifier: Apache-2.0

// Cholesky's factorization on several devices. Columns of tiles are dealt out in turn, and each
// device runs the graph of its own columns. A column that is finished is copied to the devices that
// have columns to its right, and starts there what it starts on its own device.
#ifndef MILLRACE_DOCS_EXAMPLES_TASK_GRAPH_SHARED_CHOLESKY_H_
#define MILLRACE_DOCS_EXAMPLES_TASK_GRAPH_SHARED_CHOLESKY_H_

#include <millrace/docs/examples/task_graph/tiled_matrix.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/shared_tasks.h>
#include <millrace/runtime/tasks/policy.h>

namespace millrace::examples {

struct SharedCholeskyResult {
  TiledMatrix factor;  // Above its diagonal are other numbers.
  // Reports the tasks of each device by the types of SharedCholeskyTasks. `run.seconds` includes
  // the copies of columns, but not the upload of the matrix.
  SharedRunReport report;
};

// Factors one matrix. Each device needs memory for all tiles. Tiles go straight from one device to
// another where queues can copy so (can_copy_from()), and through the host elsewhere. Throws what
// CholeskyGraph::run throws, and what Buffer and Queue do.
SharedCholeskyResult factor_cholesky(const DeviceGroup& group, const TiledMatrix& matrix,
                                     Policy policy = Policy::kAuto);

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_TASK_GRAPH_SHARED_CHOLESKY_H_
