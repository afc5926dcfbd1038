// SPDX-License-Identifier: Apache-2.0
/* The C interface of Millrace: devices, memory, queues, and the four algorithms.
 *
 *   millrace_device* device = NULL;
 *   millrace_queue* queue = NULL;
 *   if (millrace_device_open("tbb", &device) != MILLRACE_OK ||
 *       millrace_queue_create(device, NULL, &queue) != MILLRACE_OK ||
 *       millrace_sort(queue, &sort) != MILLRACE_OK) {
 *     fprintf(stderr, "%s\n", millrace_error_message());
 *   }
 *   millrace_queue_free(queue);
 *   millrace_device_close(device);
 *
 * Calls may come from any thread. What fails returns a status other than MILLRACE_OK and leaves a
 * sentence for this thread's millrace_error_message(); no C++ exception comes out.
 *
 * Handles are numbers that look like pointers: a null, freed or made-up one, or one of another
 * kind, is refused with MILLRACE_INVALID_ARGUMENT. What a call uses lives until it returns, even if
 * another thread frees it meanwhile; a queue or buffer keeps its device open.
 *
 * Structs with a member `size` begin with it, and callers set it to sizeof the struct: programs
 * compiled with older headers go on working, because members are only ever added at the end.
 *
 * Algorithms wait for what is in the queue, and return when their results are there. */
#ifndef MILLRACE_BINDINGS_C_MILLRACE_H_
#define MILLRACE_BINDINGS_C_MILLRACE_H_

#include <stddef.h>
#include <stdint.h>

#include <millrace/runtime/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Names are C's. NOLINTBEGIN(readability-identifier-naming,readability-redundant-*,modernize-*) */

typedef enum millrace_status {
  MILLRACE_OK = 0,
  MILLRACE_INVALID_ARGUMENT = 1,
  MILLRACE_NOT_FOUND = 2,
  MILLRACE_UNSUPPORTED = 3, /* The device, or this build, cannot do this. */
  MILLRACE_OUT_OF_MEMORY = 4,
  MILLRACE_TASK_FAILED = 5,
  MILLRACE_CANCELLED = 6,
  MILLRACE_DEVICE_LOST = 7,
  MILLRACE_IO = 8,
  MILLRACE_INTERNAL = 9, /* A defect of Millrace. */
  MILLRACE_VERSION_MISMATCH = 10
} millrace_status;

/* About the last call that failed on this thread; "" before. Good until the next one does. */
const char* millrace_error_message(void);

/* "ok", "invalid argument", ...; "unknown" for other numbers. */
const char* millrace_status_name(millrace_status status);

/* The library's MILLRACE_VERSION. */
int32_t millrace_version(void);

/* Devices. */

typedef struct millrace_device millrace_device;

typedef struct millrace_device_info {
  size_t size;
  char name[32];         /* What millrace_device_open takes: "tbb", "cuda:0", ... */
  char backend[32];      /* "tbb", "cuda", ... */
  char description[256]; /* The vendor's name of the processor. Longer ones are cut. */
  uint64_t memory_bytes;
  int32_t compute_units;      /* Cores, or multiprocessors. */
  int32_t warp_width;         /* 1 on a CPU. */
  int32_t shares_host_memory; /* 1 where the host can read and write the device's memory. */
  int32_t is_simulated;       /* 1 for GPU code that runs on the CPU, for tests. */
} millrace_device_info;

/* How many devices there are now, and which; `index` counts from 0. */
millrace_status millrace_device_count(size_t* count);
millrace_status millrace_device_describe(size_t index, millrace_device_info* info);

/* By name; "cuda" alone is "cuda:0". `header_version` is MILLRACE_VERSION of the caller's headers:
 * a library that is older, or of another major version, is refused with MILLRACE_VERSION_MISMATCH.
 */
millrace_status millrace_device_open_version(int32_t header_version, const char* name,
                                             millrace_device** device);

static inline millrace_status millrace_device_open(const char* name, millrace_device** device) {
  return millrace_device_open_version(MILLRACE_VERSION, name, device);
}

millrace_status millrace_device_get_info(const millrace_device* device, millrace_device_info* info);
millrace_status millrace_device_close(millrace_device* device);

/* Queues: operations run one after another, in order, beside the caller. */

typedef struct millrace_queue millrace_queue;

typedef struct millrace_queue_options {
  size_t size;
  uint64_t task_memory_bytes; /* For tasks that wait on a GPU; 0: chosen by the device. */
  int32_t concurrency;        /* Threads of a CPU's queue; 0: the caller's oneTBB arena. */
  int32_t uses_stream; /* 1: work goes to `stream`, which stays the caller's and outlives the */
  void* stream;        /* queue: a cudaStream_t or hipStream_t of the device, as a pointer. */
} millrace_queue_options;

/* `options` may be null. */
millrace_status millrace_queue_create(millrace_device* device,
                                      const millrace_queue_options* options,
                                      millrace_queue** queue);

/* Returns when all that was enqueued is done; fails as the first of it that failed. */
millrace_status millrace_queue_wait(millrace_queue* queue);

/* Waits, and drops errors. */
millrace_status millrace_queue_free(millrace_queue* queue);

/* Memory. */

typedef struct millrace_buffer millrace_buffer;

typedef enum millrace_space {
  MILLRACE_HOST = 0,   /* Pageable. */
  MILLRACE_PINNED = 1, /* Page-locked, and read and written by the device directly. */
  MILLRACE_DEVICE = 2
} millrace_space;

/* `bytes` of uninitialised memory, aligned to 256. */
millrace_status millrace_buffer_create(millrace_device* device, millrace_space space, size_t bytes,
                                       millrace_buffer** buffer);

/* The caller's own memory of that space. `release`, if not null, is called with `context` once the
 * buffer is freed and nothing in flight uses it any more, on any thread. */
millrace_status millrace_buffer_wrap(millrace_device* device, millrace_space space, void* data,
                                     size_t bytes, void (*release)(void* context), void* context,
                                     millrace_buffer** buffer);

/* What it is; any of the pointers may be null. */
millrace_status millrace_buffer_get(const millrace_buffer* buffer, void** data, size_t* bytes,
                                    millrace_space* space);

/* Memory of operations in flight lives until they have ended. */
millrace_status millrace_buffer_free(millrace_buffer* buffer);

/* Enqueue copies of `bytes` between buffers, from the caller's memory and to it, by offsets in
 * bytes. The caller's memory has to stay until the queue has passed the copy. */
millrace_status millrace_copy(millrace_queue* queue, millrace_buffer* target, size_t target_offset,
                              const millrace_buffer* source, size_t source_offset, size_t bytes);
millrace_status millrace_copy_in(millrace_queue* queue, millrace_buffer* target,
                                 size_t target_offset, const void* source, size_t bytes);
millrace_status millrace_copy_out(millrace_queue* queue, void* target,
                                  const millrace_buffer* source, size_t source_offset,
                                  size_t bytes);

/* Algorithms. Arrays are addresses in the space that the call names: the caller's own or a buffer's
 * (millrace_buffer_get). `policy` says how tasks meet workers; results are the same under each. */

typedef enum millrace_policy {
  MILLRACE_AUTO = 0,
  MILLRACE_PERSISTENT = 1,
  MILLRACE_UBERKERNEL = 2,
  MILLRACE_KERNEL_PER_TYPE = 3
} millrace_policy;

typedef enum millrace_key_type {
  MILLRACE_U32 = 0,
  MILLRACE_U64 = 1,
  MILLRACE_I32 = 2,
  MILLRACE_I64 = 3,
  MILLRACE_F32 = 4,
  MILLRACE_F64 = 5
} millrace_key_type;

/* A stable sort of `count` keys, floats in the total order of IEEE 754.
 * Keys alone:  value_bytes is 0, values_in and values_out null.
 * Pairs:       a value of 4 or 8 bytes moves with each key.
 * Argsort:     is_argsort is 1, values_in null; values_out gets the places of the keys in order, as
 *              unsigned integers of value_bytes; keys_out may be null.
 * Each output is the input of its kind or overlaps no other array. */
typedef struct millrace_sort_arguments {
  size_t size;
  size_t count;
  const void* keys_in;
  void* keys_out;
  const void* values_in;
  void* values_out;
  uint32_t value_bytes;
  int32_t is_argsort;
  int32_t is_descending;
  millrace_key_type key_type;
  millrace_space space; /* Of all arrays. */
  millrace_policy policy;
} millrace_sort_arguments;

millrace_status millrace_sort(millrace_queue* queue, const millrace_sort_arguments* arguments);

/* The H.264 inverse transform of a mixed queue of `count` macroblocks: tags[i] is 0 where
 * macroblock i is 16 blocks of 4x4, 1 where it is 4 blocks of 8x8; its 256 coefficients,
 * dequantised, are a 16x16 array in raster order in which each block is transposed. residual + 256
 * i gets its samples in raster order. Both have 512 bytes a macroblock. */
millrace_status millrace_idct(millrace_queue* queue, millrace_space space, const uint8_t* tags,
                              const int16_t* coefficients, size_t count, int16_t* residual,
                              millrace_policy policy);

typedef struct millrace_vector {
  int16_t x, y; /* Quarter samples. */
} millrace_vector;

enum { MILLRACE_PARTITIONS = 41 };

typedef enum millrace_precision {
  MILLRACE_INTEGER = 0,
  MILLRACE_HALF = 1,
  MILLRACE_QUARTER = 2
} millrace_precision;

/* Full search of the H.264 partitions in a clip of `frames` luma planes of the host, each of
 * `height` dense rows, one after another. Frame f, from 1 on, is searched in the frame before.
 * Results of frame f begin at element (f - 1) * MILLRACE_PARTITIONS * width / 16 * height / 16, and
 * have MILLRACE_PARTITIONS a macroblock: 16x16, 16x8, 8x16, 8x8, 8x4, 4x8, 4x4, in raster order
 * each. A macroblock's predictor is its 16x16 vector in the frame before. */
typedef struct millrace_motion_arguments {
  size_t size;
  const void* samples; /* uint8_t, or uint16_t where sample_bytes is 2. */
  size_t frames;
  int32_t width;        /* Multiples of 16. */
  int32_t height;       /* */
  int32_t sample_bytes; /* 1, or 2 for 10-bit samples, of 0 to 1023. */
  int32_t range;        /* 8 to 128 whole samples around the predictor. */
  int32_t lambda;       /* 0 to 4095, what a bit of a vector costs in 32nds of a difference. */
  millrace_precision precision;
  millrace_vector* vectors;
  uint32_t* costs; /* May be null. */
} millrace_motion_arguments;

/* The whole clip streams through the device, so this takes a device and makes its own queues. */
millrace_status millrace_motion_search(millrace_device* device,
                                       const millrace_motion_arguments* arguments);

/* lambda of an H.264 quantiser, 0 to 51. */
millrace_status millrace_motion_lambda(int32_t qp, int32_t* lambda);

typedef struct millrace_point {
  int32_t x, y;
} millrace_point;

typedef struct millrace_three_star {
  uint32_t a, b, c; /* Places among the points; a < b < c. */
} millrace_three_star;

/* Counts the 3-stars of `count` points in host memory: three that are all more than `radius` apart,
 * and on or in a circle of that radius. `radius` is 1 to 2^20 - 1. */
millrace_status millrace_three_star_count(millrace_queue* queue, const millrace_point* points,
                                          size_t count, int32_t radius, uint64_t* three_stars);

/* Is handed some at a time, each once, in no order, from several threads at a time. Another result
 * than 0 ends the search with MILLRACE_CANCELLED. */
typedef int (*millrace_three_star_visitor)(void* context, const millrace_three_star* three_stars,
                                           size_t count);

/* The same, and hands all of them to `visitor`. They come from a device with memory of its own as
 * they are where `is_raw` is 1, else compressed. `three_stars` may be null. */
millrace_status millrace_three_star_visit(millrace_queue* queue, const millrace_point* points,
                                          size_t count, int32_t radius, int32_t is_raw,
                                          millrace_three_star_visitor visitor, void* context,
                                          uint64_t* three_stars);

/* NOLINTEND(readability-identifier-naming,readability-redundant-*,modernize-*) */

#ifdef __cplusplus
}
#endif

#endif /* MILLRACE_BINDINGS_C_MILLRACE_H_ */
