// SPDX-License-Identifier: Apache-2.0
/* The C interface of Millrace: devices, groups of them, memory, queues, the four algorithms, and
 * H.264 streams.
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

#include <millrace/runtime/version.h>

#include <stddef.h>
#include <stdint.h>

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
  MILLRACE_F64 = 5,
  MILLRACE_U8 = 6,
  MILLRACE_U16 = 7,
  MILLRACE_I8 = 8,
  MILLRACE_I16 = 9,
  MILLRACE_F16 = 10 /* IEEE 754's binary16. */
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

/* Relays. */

typedef struct millrace_placement millrace_placement;

typedef enum millrace_placement_method {
  MILLRACE_PLACEMENT_NOTHING = 0,   /* The sensors are connected, or fewer than two. */
  MILLRACE_PLACEMENT_TREE = 1,      /* Relays along the minimum spanning tree alone. */
  MILLRACE_PLACEMENT_THREE_STAR = 2 /* Relays that join three components first. */
} millrace_placement_method;

typedef struct millrace_relay {
  double x, y;         /* In units of the sensors' grid. */
  int32_t joins_three; /* 0: it is on an edge of the tree. */
  int32_t unused;
} millrace_relay;

/* Two nodes within reach of each other: indices of sensors, or, from their number on, of relays. */
typedef struct millrace_link {
  uint32_t a, b;
} millrace_link;

typedef struct millrace_placement_info {
  size_t size;
  millrace_placement_method method;
  int32_t is_connected;       /* Computed from the positions of sensors and relays alone. */
  uint64_t components;        /* Number of components of the sensors without relays. */
  uint64_t tree_relays;       /* Number of relays of the tree alone. */
  uint64_t three_star_relays; /* Number that joining three takes, even if they are more. */
  size_t relay_count;
  size_t link_count;
  /* Memory of the placement, until millrace_placement_free. Relays that join three come first.
   * Links are a tree of all sensors and relays. */
  const millrace_relay* relays;
  const millrace_link* links;
} millrace_placement_info;

/* Places relays so that `count` sensors in host memory, which reach as far as `radius`, are
 * connected, and keeps their number small; return what a placement has; and free it. `radius` is 1
 * to 2^20 - 1. */
millrace_status millrace_place_relays(millrace_queue* queue, const millrace_point* sensors,
                                      size_t count, int32_t radius, millrace_placement** placement);
millrace_status millrace_placement_get(const millrace_placement* placement,
                                       millrace_placement_info* info);
millrace_status millrace_placement_free(millrace_placement* placement);

/* Groups: several devices, of any mix of GPUs and the CPU, that work on one call together. Calls of
 * several threads on a group run one after another. */

typedef struct millrace_group millrace_group;

/* Opens the devices of a list of names separated by commas: "cuda:0,cuda:1,tbb". `header_version`
 * is as for millrace_device_open_version. */
millrace_status millrace_group_open_version(int32_t header_version, const char* names,
                                            millrace_group** group);

static inline millrace_status millrace_group_open(const char* names, millrace_group** group) {
  return millrace_group_open_version(MILLRACE_VERSION, names, group);
}

/* Return the number of devices, and the properties of the one at `index`, from 0. */
millrace_status millrace_group_size(const millrace_group* group, size_t* devices);
millrace_status millrace_group_describe(const millrace_group* group, size_t index,
                                        millrace_device_info* info);

/* Frees the handle. The devices are closed once calls that use the group have returned. */
millrace_status millrace_group_close(millrace_group* group);

/* The algorithms, by all devices of a group. Results are the same. Arrays are in host memory:
 * MILLRACE_HOST or MILLRACE_PINNED. */
millrace_status millrace_group_sort(millrace_group* group,
                                    const millrace_sort_arguments* arguments);
millrace_status millrace_group_motion_search(millrace_group* group,
                                             const millrace_motion_arguments* arguments);
millrace_status millrace_group_three_star_count(millrace_group* group, const millrace_point* points,
                                                size_t count, int32_t radius,
                                                uint64_t* three_stars);
millrace_status millrace_group_three_star_visit(millrace_group* group, const millrace_point* points,
                                                size_t count, int32_t radius, int32_t is_raw,
                                                millrace_three_star_visitor visitor, void* context,
                                                uint64_t* three_stars);

/* H.264 streams, parsed without reconstructing samples: features of each frame, as
 * docs/guide/h264.md defines them, and decisions, bits and coefficients of each macroblock; or
 * decoded to pictures, where options say so. No device is needed.
 *
 *   millrace_status status = millrace_h264_open("clip.264", NULL, &stream);
 *   millrace_h264_frame* frame = NULL;
 *   while (status == MILLRACE_OK) {
 *     status = millrace_h264_next(stream, &frame);
 *     if (status != MILLRACE_OK || frame == NULL) break;
 *     millrace_h264_frame_info info = {.size = sizeof(info)};
 *     millrace_h264_frame_get(frame, &info);
 *     printf("%g\n", info.mean_qp);
 *     millrace_h264_frame_free(frame);
 *   }
 *   millrace_h264_close(stream); */

typedef struct millrace_h264_stream millrace_h264_stream;
typedef struct millrace_h264_frame millrace_h264_frame;
typedef struct millrace_h264_picture millrace_h264_picture;

typedef struct millrace_h264_options {
  size_t size;
  int32_t skips_coefficients; /* If 1, frames have no coefficients, and no features of them. */
  int32_t
      decodes; /* If 1, the stream gives pictures, by millrace_h264_next_picture, and no frames. */
} millrace_h264_options;

typedef enum millrace_h264_type {
  MILLRACE_H264_INTRA_4X4 = 0,
  MILLRACE_H264_INTRA_8X8 = 1,
  MILLRACE_H264_INTRA_16X16 = 2,
  MILLRACE_H264_PCM = 3,
  MILLRACE_H264_INTER_16X16 = 4,
  MILLRACE_H264_INTER_16X8 = 5,
  MILLRACE_H264_INTER_8X16 = 6,
  MILLRACE_H264_INTER_8X8 = 7,
  MILLRACE_H264_DIRECT = 8, /* B_Direct_16x16 with coefficients. */
  MILLRACE_H264_SKIP = 9,   /* P_Skip or B_Skip. */
  MILLRACE_H264_LOST = 10   /* No slice that arrived has this macroblock. */
} millrace_h264_type;

/* Bits of a macroblock by what they say: types, modes, patterns and QP; vector differences; luma;
 * chroma coefficients. */
enum { MILLRACE_H264_SYNTAX_CLASSES = 4 };

/* One macroblock. 4x4 blocks are counted in raster order, 4 y + x, and 8x8 blocks, 2 y + x. */
typedef struct millrace_h264_macroblock {
  uint8_t type;                /* A millrace_h264_type. */
  uint8_t has_8x8_transform;   /* 0 or 1. */
  uint8_t coded_block_pattern; /* Bits 0 to 3: 8x8 blocks of luma; 4 and 5: 0 to 2 of chroma. */
  uint8_t qp;                  /* QP of luma, 0 to 51; inherited where none is coded. */
  uint8_t chroma_qp[2];        /* QP of Cb and Cr, 0 to 39. */
  uint8_t intra_chroma_mode;
  uint8_t unused;
  uint16_t slice;            /* Index into millrace_h264_frame_info::slices. */
  uint8_t intra_modes[16];   /* Of 4x4 blocks; of intra 16x16 the first alone. */
  uint8_t sub_partitions[4]; /* Of inter 8x8: 0 8x8, 1 8x4, 2 4x8, 3 4x4, 4 direct. */
  int8_t references[2][4];   /* By list and 8x8 block: index into the slice's list; -1:
                              * none. */
  uint8_t also_unused[2];
  millrace_vector vectors[2][16];     /* By list and 4x4 block, in quarter samples. */
  millrace_vector differences[2][16]; /* As coded, at each block of a partition. */
  uint32_t coded_blocks;              /* Blocks that have AC coefficients or, but for intra 16x16,
                                       * any: bits 0 to 15 luma, 16 to 19 Cb, 20 to 23 Cr. */
  uint32_t bits[MILLRACE_H264_SYNTAX_CLASSES];
} millrace_h264_macroblock;

enum { MILLRACE_H264_MOST_REFERENCES = 32 };

typedef struct millrace_h264_slice {
  int32_t type; /* 0 P, 1 B, 2 I. */
  int32_t qp;   /* Before the first macroblock's change. */
  int32_t first_macroblock;
  int32_t macroblocks; /* Number that were parsed. */
  int32_t is_damaged;  /* 1 if it does not end at its trailing bits. */
  uint32_t header_bits;
  uint32_t bytes; /* With start code. */
  int32_t reference_counts[2];
  int32_t unused;
  /* Pictures of both lists (millrace_h264_frame_info::picture); -1: missing. */
  int64_t references[2][MILLRACE_H264_MOST_REFERENCES];
} millrace_h264_slice;

/* Motion of a frame: mean and standard deviation. */
typedef struct millrace_h264_deviation {
  double mean, deviation;
} millrace_h264_deviation;

/* Coefficients c_ij by frequency i + j: mean square, and the fraction that is 0. A transform of 4x4
 * has 7 frequencies, one of 8x8 15. */
typedef struct millrace_h264_bands {
  int64_t blocks;
  double energy[15];
  double zero_share[15];
} millrace_h264_bands;

enum {
  MILLRACE_H264_KINDS = 16, /* I4x4, I8x8, I16x16, PCM, P16x16, P16x8, P8x16, P8x8, B16x16, B16x8,
                             * B8x16, B8x8, direct, P_Skip, B_Skip, lost. */
  MILLRACE_H264_QPS = 52,
  MILLRACE_H264_COEFFICIENTS = 384 /* Of a macroblock: 256 of luma, 64 of Cb, 64 of Cr. */
};

typedef struct millrace_h264_frame_info {
  size_t size;
  int64_t frame;   /* From 0 on, in decoding order. */
  int64_t picture; /* Counts pictures that a gap in frame_num stands for, too. */
  int32_t picture_order;
  int32_t frame_number;
  int32_t width; /* Luma samples, after cropping. */
  int32_t height;
  int32_t columns; /* Macroblocks, before cropping. */
  int32_t rows;
  int32_t is_reference;
  int32_t frame_type; /* 1 I, 2 P, 3 B. */
  int32_t is_idr;
  int32_t is_key_frame; /* An IDR picture, or an I frame with a recovery point. */
  int32_t least_qp;
  int32_t greatest_qp;
  int32_t bit_depth;
  int32_t black_rows;
  int64_t bytes; /* Of the access unit. */
  double mean_qp;
  double mean_qp_inside;          /* Without black rows. */
  millrace_h264_deviation motion; /* Lengths of vectors. */
  millrace_h264_deviation motion_x;
  millrace_h264_deviation motion_y;
  millrace_h264_deviation motion_difference;
  double root_mean_square_motion_difference;
  int64_t macroblock_count;
  int64_t kinds[MILLRACE_H264_KINDS];
  int64_t sub_partitions[5];
  int64_t transforms_8x8;
  int64_t qp_histogram[MILLRACE_H264_QPS];
  int64_t header_bits; /* Of slices. */
  int64_t bits[MILLRACE_H264_SYNTAX_CLASSES];
  int64_t other_bits; /* Parameter sets, SEI, alignment, emulation prevention. */
  millrace_h264_bands luma_4x4;
  millrace_h264_bands luma_8x8;
  millrace_h264_bands chroma;
  int64_t references;
  int64_t missing_references;
  int64_t reference_distances[17]; /* 1 to 16 pictures of decoding order, and more. */
  double mean_decoding_distance;
  double mean_output_distance;
  int64_t slice_count;
  int64_t damaged_slices;
  int64_t lost_macroblocks;
  int64_t inferred_pictures;
  /* Fractions of inter macroblocks that refer to concealed ones, and to damaged ones. */
  double refers_to_concealed;
  double refers_to_damaged;
  /* Memory of the frame, until millrace_h264_frame_free. Macroblocks are in raster order. Strides
   * are macroblock_bytes and slice_bytes, which newer libraries may enlarge. */
  size_t macroblock_bytes;
  size_t slice_bytes;
  const millrace_h264_macroblock* macroblocks;
  const millrace_h264_slice* slices;
  /* MILLRACE_H264_COEFFICIENTS of each macroblock, dequantised: luma as millrace_idct takes it,
   * then chroma, where c_ij of 4x4 block (x, y) is at 8 (4 y + j) + 4 x + i. Samples of PCM. Null
   * if coefficients are skipped. */
  const int16_t* coefficients;
} millrace_h264_frame_info;

/* Something that a stream has wrong, or that is not supported. Parsing goes on behind it. */
typedef struct millrace_h264_fault {
  size_t size;
  int64_t nal_unit; /* From 0 on. */
  int64_t byte;     /* Offset in the file; in the NAL unit if those are pushed. */
  int64_t picture;
  int32_t is_unsupported; /* 1 if the stream is sound, but not of the supported tools. */
  char message[260];      /* Longer ones are cut. */
} millrace_h264_fault;

/* Opens a file or pipe with a byte stream (ITU-T H.264, Annex B). Containers and captures are
 * rejected, with what to do. `options` may be null for the defaults. */
millrace_status millrace_h264_open(const char* path, const millrace_h264_options* options,
                                   millrace_h264_stream** stream);

/* Makes a stream of NAL units that the caller pushes, in decoding order, each without start code or
 * length. `framing_bytes`, usually 4, is what stood before it, for the frames' sizes; minus `bytes`
 * for a parameter set from beside the stream, such as a container's header, which counts to none.
 * Frames are to be taken by millrace_h264_next between calls; those that are not use memory. */
millrace_status millrace_h264_create(const millrace_h264_options* options,
                                     millrace_h264_stream** stream);
millrace_status millrace_h264_push(millrace_h264_stream* stream, const uint8_t* unit, size_t bytes,
                                   int32_t framing_bytes);

/* Says that NAL units are missing before the next one that is pushed. */
millrace_status millrace_h264_note_loss(millrace_h264_stream* stream);

/* Says that no more are pushed, which completes the last frame. */
millrace_status millrace_h264_finish(millrace_h264_stream* stream);

/* Returns the next frame in decoding order, or a null one: at the end of a file, and where more NAL
 * units have to be pushed. A stream that ends without a frame is an error, MILLRACE_UNSUPPORTED if
 * its tools are not supported. */
millrace_status millrace_h264_next(millrace_h264_stream* stream, millrace_h264_frame** frame);

/* Returns what the frame has. */
millrace_status millrace_h264_frame_get(const millrace_h264_frame* frame,
                                        millrace_h264_frame_info* info);

/* A decoded picture, 4:2:0 of 8 bits, cropped. */
typedef struct millrace_h264_picture_info {
  size_t size;
  int64_t picture; /* As millrace_h264_frame_info::picture. */
  int32_t width;   /* Luma samples, both even. */
  int32_t height;
  int32_t concealed_macroblocks; /* Lost ones, copied from another picture. */
  int32_t unused;
  /* Y, Cb and Cr; memory of the picture, until millrace_h264_picture_free. Chroma has half as many
   * columns and rows. */
  const uint8_t* planes[3];
  size_t strides[3]; /* Bytes from row to row. */
} millrace_h264_picture_info;

/* Return the next picture in output order of a stream that decodes, as millrace_h264_next does with
 * frames, and what it has; and free it. The calling thread decodes. */
millrace_status millrace_h264_next_picture(millrace_h264_stream* stream,
                                           millrace_h264_picture** picture);
millrace_status millrace_h264_picture_get(const millrace_h264_picture* picture,
                                          millrace_h264_picture_info* info);
millrace_status millrace_h264_picture_free(millrace_h264_picture* picture);

/* Frees the frame and the memory of its arrays. A frame may outlive its stream. */
millrace_status millrace_h264_frame_free(millrace_h264_frame* frame);

/* Return the number of faults so far, and one of the first MILLRACE_H264_KEPT_FAULTS. */
enum { MILLRACE_H264_KEPT_FAULTS = 64 };
millrace_status millrace_h264_fault_count(const millrace_h264_stream* stream, size_t* count);
millrace_status millrace_h264_fault_describe(const millrace_h264_stream* stream, size_t index,
                                             millrace_h264_fault* fault);

/* Frees the stream and the frames or pictures that were not taken. */
millrace_status millrace_h264_close(millrace_h264_stream* stream);

/* A capture: a pcap or pcapng file, whose H.264 streams over RTP (docs/guide/h264.md) are opened
 * one by one, in any order and by any threads. */
typedef struct millrace_h264_capture millrace_h264_capture;

/* Returns 1 for a file that is a capture, or FILE#STREAM of one; 0 for others, a pipe, which is
 * left as it is, and a file that cannot be read. */
millrace_status millrace_h264_is_capture(const char* path, int32_t* is_capture);

/* Reads a capture and finds its streams. FILE#STREAM, where there is no file of that name, has the
 * stream of that name alone. `session` is the path of a session description (SDP), whose streams
 * are taken and whose parameter sets come first; null: streams are identified by their payloads. A
 * capture without H.264 is an error that says what it has. */
millrace_status millrace_h264_capture_open(const char* path, const char* session,
                                           millrace_h264_capture** capture);

typedef struct millrace_h264_captured_stream {
  size_t size;
  int64_t packets; /* Number of its packets in the capture. */
  int32_t payload_type;
  int32_t unused;
  char name[80]; /* "10.0.0.1:5004/0x11223344": receiver and SSRC. Two senders may have one name. */
} millrace_h264_captured_stream;

/* Return the number of streams, 1 at least, and the properties of the one at `index`, from 0, in
 * the order of their first packets. */
millrace_status millrace_h264_capture_size(const millrace_h264_capture* capture, size_t* streams);
millrace_status millrace_h264_capture_describe(const millrace_h264_capture* capture, size_t index,
                                               millrace_h264_captured_stream* stream);

/* Opens a stream, which keeps what it needs of the capture. */
millrace_status millrace_h264_open_captured(const millrace_h264_capture* capture, size_t index,
                                            const millrace_h264_options* options,
                                            millrace_h264_stream** stream);

/* Returns the packets that were lost before they were captured, so far; 0 without a capture. */
millrace_status millrace_h264_lost_packets(const millrace_h264_stream* stream, int64_t* packets);

millrace_status millrace_h264_capture_close(millrace_h264_capture* capture);

/* Encoding, to a stream of I and P pictures. */

/* Members that are 0 have the default, which is also 0 where it is a choice. */
typedef struct millrace_encoder_options {
  size_t size;
  int32_t width; /* Samples, even numbers from 16 x 16 to 4096 x 2304. */
  int32_t height;
  uint32_t frame_rate; /* Frames a second, as a fraction; 25 / 1. */
  uint32_t frame_rate_base;
  int32_t profile;          /* 0 high, 1 main, 2 constrained baseline. */
  int32_t decision;         /* 0 by squared error and all bits, 1 by SATD and bits of vectors. */
  int32_t search;           /* 0 full, 1 hexagon, 2 diamond. */
  int32_t rate;             /* 0 all pictures have `qp`; 1 about equal quality, `qp` for ordinary
                             * content; 2 kbit_per_second. */
  int32_t qp;               /* 0 to 51. 0 is lossy, but nearly without loss; no default. */
  int32_t kbit_per_second;  /* 1 to 1,000,000, for rate 2 alone. */
  int32_t pictures_a_group; /* 1 to 1000; 12. */
  int32_t range;            /* 8 to 128 whole samples; 32. */
  int32_t references;       /* 1 to 4; 1. */
  int32_t slices;           /* Of a picture, 1 to its rows of macroblocks; 1. */
  int32_t device_work;      /* 0 search alone; 1 decisions and reconstruction, too. */
} millrace_encoder_options;

/* Writes the samples of picture `index`, from 0: Y of `height` rows, Cb and Cr of half as many rows
 * and columns. strides[i] are the bytes from row to row of planes[i]. Returns 1; 0 if there are no
 * more pictures; another value ends the encode with MILLRACE_CANCELLED. Called on any thread, one
 * call at a time. */
typedef int (*millrace_picture_source)(void* context, int64_t index, uint8_t* const planes[3],
                                       const size_t strides[3]);

typedef struct millrace_encoded_picture {
  size_t size;
  int64_t index;      /* From 0. */
  int32_t frame_type; /* 1 I, 2 P. */
  int32_t is_idr;
  int32_t qp;
  int32_t unused;
  const uint8_t* bytes; /* Its access unit as a byte stream (Annex B), until the sink returns. */
  size_t byte_count;
  uint64_t squared_errors[3]; /* Sums between source and decoded picture: Y, Cb, Cr. */
} millrace_encoded_picture;

/* Receives pictures in order, on any thread, one call at a time, also while the source is called. A
 * result other than 0 ends the encode with MILLRACE_CANCELLED. */
typedef int (*millrace_encoded_sink)(void* context, const millrace_encoded_picture* picture);

/* Encodes until the source has no more pictures and the sink has all. The stream is the same on
 * every device. */
millrace_status millrace_h264_encode(millrace_device* device,
                                     const millrace_encoder_options* options,
                                     millrace_picture_source source, millrace_encoded_sink sink,
                                     void* context);

/* NOLINTEND(readability-identifier-naming,readability-redundant-*,modernize-*) */

#ifdef __cplusplus
}
#endif

#endif /* MILLRACE_BINDINGS_C_MILLRACE_H_ */
