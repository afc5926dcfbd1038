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
 * Any thread may call any function. A function that fails returns a status other than MILLRACE_OK
 * and stores a sentence for millrace_error_message() of this thread. No function throws a C++
 * exception.
 *
 * Handles are numbers with the types of pointers. A null, freed or made-up handle, or one of
 * another kind, is rejected with MILLRACE_INVALID_ARGUMENT. An object exists until all calls that
 * use it have returned, even if another thread frees it meanwhile. A queue or buffer keeps its
 * device open.
 *
 * Structs with a member `size` begin with it, and callers set it to sizeof the struct. Programs
 * compiled with older headers continue to work, because members are only added at the end.
 *
 * Algorithms wait for everything in the queue and return when their results are complete. */
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

/* Returns the message of the last call that failed on this thread, or "" if there was none. Valid
 * until the next call on this thread fails. */
const char* millrace_error_message(void);

/* Returns "ok", "invalid argument", ..., or "unknown" for other numbers. */
const char* millrace_status_name(millrace_status status);

/* Returns the library's MILLRACE_VERSION. */
int32_t millrace_version(void);

/* Devices. */

typedef struct millrace_device millrace_device;

typedef struct millrace_device_info {
  size_t size;
  char name[32];         /* Name for millrace_device_open: "tbb", "cuda:0", ... */
  char backend[32];      /* Name of the backend: "tbb", "cuda", ... */
  char description[256]; /* The vendor's name of the processor. Longer ones are cut. */
  uint64_t memory_bytes;
  int32_t compute_units;      /* Number of cores or multiprocessors. */
  int32_t warp_width;         /* Number of lanes that run in step; 1 on a CPU. */
  int32_t shares_host_memory; /* 1 if the host can read and write the device's memory. */
  int32_t is_simulated;       /* 1 for GPU code that runs on the CPU, for tests. */
} millrace_device_info;

/* Return the number of devices that are present now, and the properties of the one at `index`, from
 * 0. */
millrace_status millrace_device_count(size_t* count);
millrace_status millrace_device_describe(size_t index, millrace_device_info* info);

/* Opens a device by its name; "cuda" alone means "cuda:0". `header_version` is MILLRACE_VERSION of
 * the caller's headers: a library that is older, or of another major version, returns
 * MILLRACE_VERSION_MISMATCH. */
millrace_status millrace_device_open_version(int32_t header_version, const char* name,
                                             millrace_device** device);

static inline millrace_status millrace_device_open(const char* name, millrace_device** device) {
  return millrace_device_open_version(MILLRACE_VERSION, name, device);
}

/* Returns the properties of a device. */
millrace_status millrace_device_get_info(const millrace_device* device, millrace_device_info* info);

/* Frees the handle. The device is closed once its queues and buffers are freed, too. */
millrace_status millrace_device_close(millrace_device* device);

/* Queues run operations one after another, in order, asynchronously to the caller. */

typedef struct millrace_queue millrace_queue;

typedef struct millrace_queue_options {
  size_t size;
  uint64_t task_memory_bytes; /* Memory for tasks that wait on a GPU; 0 lets the device choose. */
  int32_t concurrency;        /* Threads of a CPU's queue; 0 selects the caller's oneTBB arena. */
  int32_t
      uses_stream; /* If 1, work runs in `stream`, a cudaStream_t or hipStream_t of the device */
  void* stream;    /* as a pointer, which belongs to the caller and must outlive the queue. */
} millrace_queue_options;

/* Makes a queue of the device. `options` may be null for the defaults. */
millrace_status millrace_queue_create(millrace_device* device,
                                      const millrace_queue_options* options,
                                      millrace_queue** queue);

/* Returns when everything enqueued is done, with the status of the first operation that failed. */
millrace_status millrace_queue_wait(millrace_queue* queue);

/* Waits for the queue, drops its errors and frees it. */
millrace_status millrace_queue_free(millrace_queue* queue);

/* Memory. */

typedef struct millrace_buffer millrace_buffer;

typedef enum millrace_space {
  MILLRACE_HOST = 0,   /* Pageable host memory. */
  MILLRACE_PINNED = 1, /* Page-locked host memory that the device accesses directly. */
  MILLRACE_DEVICE = 2  /* The device's own memory. */
} millrace_space;

/* Allocates `bytes` bytes of uninitialised memory, aligned to 256. */
millrace_status millrace_buffer_create(millrace_device* device, millrace_space space, size_t bytes,
                                       millrace_buffer** buffer);

/* Makes a buffer of the caller's memory, which is in that space. `release`, if not null, is called
 * with `context`, on any thread, once the buffer is freed and no operation in flight uses it. */
millrace_status millrace_buffer_wrap(millrace_device* device, millrace_space space, void* data,
                                     size_t bytes, void (*release)(void* context), void* context,
                                     millrace_buffer** buffer);

/* Returns the buffer's address, size and space; any of the pointers may be null. */
millrace_status millrace_buffer_get(const millrace_buffer* buffer, void** data, size_t* bytes,
                                    millrace_space* space);

/* Frees the buffer. Its memory exists until no operation in flight uses it. */
millrace_status millrace_buffer_free(millrace_buffer* buffer);

/* Enqueue copies of `bytes` bytes between buffers, from the caller's memory and to it. Offsets are
 * in bytes. The caller keeps its memory until the queue has finished the copy. */
millrace_status millrace_copy(millrace_queue* queue, millrace_buffer* target, size_t target_offset,
                              const millrace_buffer* source, size_t source_offset, size_t bytes);
millrace_status millrace_copy_in(millrace_queue* queue, millrace_buffer* target,
                                 size_t target_offset, const void* source, size_t bytes);
millrace_status millrace_copy_out(millrace_queue* queue, void* target,
                                  const millrace_buffer* source, size_t source_offset,
                                  size_t bytes);

/* Algorithms. Arrays are addresses in the space that the call names, of the caller's memory or of a
 * buffer (millrace_buffer_get). `policy` selects how tasks are assigned to workers; results are the
 * same under each. */

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

/* A stable sort of `count` keys. Floats are in the total order of IEEE 754.
 * Keys alone:  value_bytes is 0, values_in and values_out are null.
 * Pairs:       a value of 4 or 8 bytes moves with each key.
 * Argsort:     is_argsort is 1 and values_in null; values_out receives the indices of the keys in
 *              sorted order, as unsigned integers of value_bytes; keys_out may be null.
 * Each output must be the input of its kind or overlap no other array. */
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
  millrace_space space; /* Space of all arrays. */
  millrace_policy policy;
} millrace_sort_arguments;

millrace_status millrace_sort(millrace_queue* queue, const millrace_sort_arguments* arguments);

/* The H.264 inverse transform of a mixed queue of `count` macroblocks. tags[i] is 0 if macroblock i
 * has 16 blocks of 4x4, and 1 if it has 4 blocks of 8x8. Its 256 dequantised coefficients are a
 * 16x16 array in raster order in which each block is transposed. Its samples are written to
 * residual + 256 i in raster order. Both have 512 bytes for each macroblock. */
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

/* Full search of the H.264 partitions in a clip. The clip is `frames` luma planes in host memory,
 * one after another, each of `height` dense rows. Frame f, from 1 on, is searched in the frame
 * before. Results of frame f begin at element (f - 1) * MILLRACE_PARTITIONS * width / 16 * height /
 * 16. A macroblock has MILLRACE_PARTITIONS of them: 16x16, 16x8, 8x16, 8x8, 8x4, 4x8, 4x4, each in
 * raster order. A macroblock's predictor is its 16x16 vector in the frame before. */
typedef struct millrace_motion_arguments {
  size_t size;
  const void* samples;  /* uint8_t, or uint16_t if sample_bytes is 2. */
  size_t frames;        /* Number of luma planes. */
  int32_t width;        /* A multiple of 16. */
  int32_t height;       /* A multiple of 16. */
  int32_t sample_bytes; /* 1, or 2 for 10-bit samples of 0 to 1023. */
  int32_t range;        /* 8 to 128 whole samples around the predictor. */
  int32_t lambda;       /* 0 to 4095: the cost of a bit of a vector in 32nds of a difference. */
  millrace_precision precision;
  millrace_vector* vectors;
  uint32_t* costs; /* May be null. */
} millrace_motion_arguments;

/* Searches the clip, which is streamed through the device, on queues that the call makes. */
millrace_status millrace_motion_search(millrace_device* device,
                                       const millrace_motion_arguments* arguments);

/* Returns lambda for the H.264 quantiser `qp`, 0 to 51. */
millrace_status millrace_motion_lambda(int32_t qp, int32_t* lambda);

typedef struct millrace_point {
  int32_t x, y;
} millrace_point;

typedef struct millrace_three_star {
  uint32_t a, b, c; /* Indices of points; a < b < c. */
} millrace_three_star;

/* Counts the 3-stars of `count` points in host memory. A 3-star is three points whose distances are
 * all more than `radius` and which are on or in a circle of that radius. `radius` is 1 to 2^20 - 1.
 */
millrace_status millrace_three_star_count(millrace_queue* queue, const millrace_point* points,
                                          size_t count, int32_t radius, uint64_t* three_stars);

/* Receives some 3-stars at a time, each once, in no order, from several threads at a time. A result
 * other than 0 ends the search with MILLRACE_CANCELLED. */
typedef int (*millrace_three_star_visitor)(void* context, const millrace_three_star* three_stars,
                                           size_t count);

/* Counts the 3-stars and passes all of them to `visitor`. A device with memory of its own sends
 * them uncompressed if `is_raw` is 1, and compressed otherwise. `three_stars` may be null. */
millrace_status millrace_three_star_visit(millrace_queue* queue, const millrace_point* points,
                                          size_t count, int32_t radius, int32_t is_raw,
                                          millrace_three_star_visitor visitor, void* context,
                                          uint64_t* three_stars);

/* NOLINTEND(readability-identifier-naming,readability-redundant-*,modernize-*) */

#ifdef __cplusplus
}
#endif

#endif /* MILLRACE_BINDINGS_C_MILLRACE_H_ */
