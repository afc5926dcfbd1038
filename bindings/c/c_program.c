// SPDX-License-Identifier: Apache-2.0
/* A C11 program that uses the whole C interface. It is part of a test (c_program_test.cc) and of a
 * program that a plain Makefile builds from an installation (tests/consumers/main.c). */
#include <millrace/c/millrace.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Uses the whole interface on that device, prints failures and returns their number. */
int count_failures_on(const char* name);

static int failures = 0;

static void expect(int is_true, const char* what, int line) {
  if (is_true) return;
  fprintf(stderr, "line %d: %s; last error: %s\n", line, what, millrace_error_message());
  ++failures;
}

#define EXPECT(condition) expect((condition), #condition, __LINE__)
#define EXPECT_OK(call) expect((call) == MILLRACE_OK, #call, __LINE__)

enum { kKeys = 5000 };

static uint32_t next_random(uint32_t* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

/* Sorts in the device's own memory by buffers. */
static void sort_pairs_in_buffers(millrace_device* device, millrace_queue* queue) {
  static uint32_t keys[kKeys], sorted[kKeys], indices[kKeys], moved[kKeys];
  const size_t bytes = sizeof(keys);
  uint32_t state = 1;
  millrace_buffer* buffers[4] = {NULL, NULL, NULL, NULL};
  void* data[4] = {NULL, NULL, NULL, NULL};
  millrace_sort_arguments sort;
  for (uint32_t i = 0; i < kKeys; ++i) {
    keys[i] = next_random(&state) % 100;
    indices[i] = i;
  }
  for (int i = 0; i < 4; ++i) {
    EXPECT_OK(millrace_buffer_create(device, MILLRACE_DEVICE, bytes, &buffers[i]));
    EXPECT_OK(millrace_buffer_get(buffers[i], &data[i], NULL, NULL));
  }
  EXPECT_OK(millrace_copy_in(queue, buffers[0], 0, keys, bytes));
  EXPECT_OK(millrace_copy_in(queue, buffers[1], 0, indices, bytes));
  memset(&sort, 0, sizeof(sort));
  sort.size = sizeof(sort);
  sort.count = kKeys;
  sort.keys_in = data[0];
  sort.values_in = data[1];
  sort.keys_out = data[2];
  sort.values_out = data[3];
  sort.value_bytes = 4;
  sort.key_type = MILLRACE_U32;
  sort.space = MILLRACE_DEVICE;
  EXPECT_OK(millrace_sort(queue, &sort));
  EXPECT_OK(millrace_copy_out(queue, sorted, buffers[2], 0, bytes));
  EXPECT_OK(millrace_copy_out(queue, moved, buffers[3], 0, bytes));
  EXPECT_OK(millrace_queue_wait(queue));
  for (int i = 0; i < kKeys; ++i) {
    EXPECT(keys[moved[i]] == sorted[i]);
    if (i == 0) continue;
    EXPECT(sorted[i - 1] < sorted[i] || (sorted[i - 1] == sorted[i] && moved[i - 1] < moved[i]));
  }
  for (int i = 0; i < 4; ++i) EXPECT_OK(millrace_buffer_free(buffers[i]));
}

/* Sorts keys in descending order, and indices of other keys, in host memory. */
static void sort_on_the_host(millrace_queue* queue) {
  static double keys[kKeys], sorted[kKeys];
  static uint64_t indices[kKeys];
  uint32_t state = 2;
  millrace_sort_arguments sort;
  for (int i = 0; i < kKeys; ++i) keys[i] = (double)next_random(&state) - 8000000.0;
  memset(&sort, 0, sizeof(sort));
  sort.size = sizeof(sort);
  sort.count = kKeys;
  sort.keys_in = keys;
  sort.keys_out = sorted;
  sort.key_type = MILLRACE_F64;
  sort.is_descending = 1;
  sort.space = MILLRACE_HOST;
  sort.policy = MILLRACE_KERNEL_PER_TYPE;
  EXPECT_OK(millrace_sort(queue, &sort));
  for (int i = 1; i < kKeys; ++i) EXPECT(sorted[i - 1] >= sorted[i]);
  sort.keys_out = NULL;
  sort.values_out = indices;
  sort.value_bytes = 8;
  sort.is_argsort = 1;
  EXPECT_OK(millrace_sort(queue, &sort));
  for (int i = 0; i < kKeys; ++i) EXPECT(keys[indices[i]] == sorted[i]);
}

/* A DC coefficient alone gives a constant residual: (64 + 32) >> 6 and (128 + 32) >> 6. */
static void transform_macroblocks(millrace_queue* queue) {
  enum { kCount = 100, kSamples = 256 };
  static int16_t coefficients[kCount * kSamples], residual[kCount * kSamples];
  static uint8_t tags[kCount];
  for (int i = 0; i < kCount; ++i) {
    const int width = i % 3 == 0 ? 8 : 4;
    tags[i] = width == 8 ? 1 : 0;
    for (int y = 0; y < 16; y += width) {
      for (int x = 0; x < 16; x += width) {
        coefficients[i * kSamples + y * 16 + x] = width == 8 ? 128 : 64;
      }
    }
  }
  EXPECT_OK(
      millrace_idct(queue, MILLRACE_HOST, tags, coefficients, kCount, residual, MILLRACE_AUTO));
  for (int i = 0; i < kCount * kSamples; ++i)
    EXPECT(residual[i] == (tags[i / kSamples] == 1 ? 2 : 1));
}

/* The second frame is the first, moved by three samples in x and one in y. */
static void search_motion(millrace_device* device) {
  enum { kWidth = 64, kHeight = 48, kBlocks = kWidth / 16 * (kHeight / 16) };
  static uint8_t samples[2][kHeight][kWidth];
  static millrace_vector vectors[kBlocks * MILLRACE_PARTITIONS];
  static uint32_t costs[kBlocks * MILLRACE_PARTITIONS];
  uint32_t state = 3;
  millrace_motion_arguments search;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) samples[0][y][x] = (uint8_t)next_random(&state);
  }
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x)
      samples[1][y][x] = samples[0][(y + 1) % kHeight][(x + 3) % kWidth];
  }
  memset(&search, 0, sizeof(search));
  search.size = sizeof(search);
  search.samples = samples;
  search.frames = 2;
  search.width = kWidth;
  search.height = kHeight;
  search.sample_bytes = 1;
  search.range = 16;
  search.precision = MILLRACE_QUARTER;
  search.vectors = vectors;
  search.costs = costs;
  EXPECT_OK(millrace_motion_lambda(28, &search.lambda));
  EXPECT_OK(millrace_motion_search(device, &search));
  EXPECT(vectors[0].x == 12 && vectors[0].y == 4); /* In quarter samples. */
  EXPECT(costs[0] > 0 && costs[0] < 10000);        /* Bits alone: the difference is nothing. */
}

struct Found {
  millrace_three_star stars[8];
  size_t count;
};

static int collect(void* context, const millrace_three_star* stars, size_t count) {
  struct Found* found = (struct Found*)context;
  for (size_t i = 0; i < count; ++i) found->stars[found->count++] = stars[i];
  return 0;
}

static int end_search(void* context, const millrace_three_star* stars, size_t count) {
  (void)context;
  (void)stars;
  (void)count;
  return 1;
}

static void find_three_stars(millrace_queue* queue) {
  const millrace_point points[4] = {{0, 0}, {60, 0}, {30, 52}, {1000, 1000}};
  for (int32_t is_raw = 0; is_raw <= 1; ++is_raw) {
    struct Found found = {{{0, 0, 0}}, 0};
    uint64_t count = 0;
    EXPECT_OK(millrace_three_star_count(queue, points, 4, 50, &count));
    EXPECT(count == 1);
    EXPECT_OK(millrace_three_star_visit(queue, points, 4, 50, is_raw, collect, &found, &count));
    EXPECT(count == 1 && found.count == 1);
    EXPECT(found.stars[0].a == 0 && found.stars[0].b == 1 && found.stars[0].c == 2);
    EXPECT(millrace_three_star_visit(queue, points, 4, 50, is_raw, end_search, NULL, NULL) ==
           MILLRACE_CANCELLED);
  }
}

/* One picture of one macroblock of samples: a sequence and a picture parameter set of the baseline
 * profile, and an IDR slice of I_PCM, whose header has 17 bits and whose macroblock type has 9. */
static void parse_h264_stream(void) {
  enum { kLuma = 256, kChroma = 128, kFraming = 4 };
  static const uint8_t sequence[] = {0x67, 0x42, 0xc0, 0x0a, 0xdd, 0xc4};
  static const uint8_t parameters[] = {0x68, 0xce, 0x38, 0x80};
  static uint8_t slice[5 + kLuma + kChroma + 1] = {0x65, 0x88, 0x84, 0x86, 0x80};
  millrace_h264_options options;
  millrace_h264_stream* stream = NULL;
  millrace_h264_frame* frame = NULL;
  millrace_h264_frame_info info;
  millrace_h264_fault fault;
  size_t faults = 1;
  memset(slice + 5, 100, kLuma);
  memset(slice + 5 + kLuma, 50, kChroma);
  slice[5 + kLuma + kChroma] = 0x80;
  memset(&options, 0, sizeof(options));
  options.size = sizeof(options);
  EXPECT(millrace_h264_open("no/such/file.264", &options, &stream) == MILLRACE_IO);
  EXPECT_OK(millrace_h264_create(&options, &stream));
  EXPECT_OK(millrace_h264_push(stream, sequence, sizeof(sequence), kFraming));
  EXPECT_OK(millrace_h264_push(stream, parameters, sizeof(parameters), kFraming));
  EXPECT_OK(millrace_h264_push(stream, slice, sizeof(slice), kFraming));
  EXPECT_OK(millrace_h264_next(stream, &frame));
  EXPECT(frame == NULL); /* The next unit could belong to it. */
  EXPECT_OK(millrace_h264_finish(stream));
  EXPECT_OK(millrace_h264_next(stream, &frame));
  EXPECT_OK(millrace_h264_fault_count(stream, &faults));
  EXPECT(faults == 0);
  fault.size = sizeof(fault);
  EXPECT(millrace_h264_fault_describe(stream, 0, &fault) == MILLRACE_INVALID_ARGUMENT);
  EXPECT(millrace_h264_note_loss(stream) == MILLRACE_INVALID_ARGUMENT);
  EXPECT_OK(millrace_h264_close(stream));
  memset(&info, 0, sizeof(info));
  info.size = sizeof(info);
  EXPECT_OK(millrace_h264_frame_get(frame, &info));
  EXPECT(info.columns == 1 && info.rows == 1 && info.width == 16 && info.height == 16);
  EXPECT(info.frame_type == 1 && info.is_idr == 1 && info.mean_qp == 26);
  EXPECT(info.kinds[MILLRACE_H264_PCM] == 1);
  EXPECT(info.bytes == 3 * kFraming + (int)(sizeof(sequence) + sizeof(parameters) + sizeof(slice)));
  EXPECT(info.header_bits == 8 * (kFraming + 1) + 17);
  EXPECT(info.bits[0] >= 9 && info.bits[0] < 9 + 8 && info.bits[1] == 0);
  EXPECT(info.bits[2] == 8 * kLuma && info.bits[3] == 8 * kChroma);
  if (info.macroblocks == NULL || info.coefficients == NULL || info.slices == NULL) {
    EXPECT(0);
  } else {
    EXPECT(info.macroblocks[0].type == MILLRACE_H264_PCM && info.macroblocks[0].qp == 26);
    EXPECT(info.slice_count == 1 && info.slices[0].type == 2 && info.slices[0].macroblocks == 1);
    for (int i = 0; i < MILLRACE_H264_COEFFICIENTS; ++i) {
      EXPECT(info.coefficients[i] == (i < kLuma ? 100 : 50));
    }
  }
  EXPECT_OK(millrace_h264_frame_free(frame));
}

int count_failures_on(const char* name) {
  const int before = failures;
  size_t devices = 0;
  millrace_device* device = NULL;
  millrace_queue* queue = NULL;
  millrace_device_info info;
  EXPECT(millrace_version() == MILLRACE_VERSION);
  EXPECT_OK(millrace_device_count(&devices));
  EXPECT(devices > 0);
  info.size = sizeof(info);
  EXPECT_OK(millrace_device_describe(0, &info));
  EXPECT_OK(millrace_device_open(name, &device));
  EXPECT_OK(millrace_device_get_info(device, &info));
  EXPECT(strcmp(info.name, name) == 0);
  EXPECT_OK(millrace_queue_create(device, NULL, &queue));
  sort_pairs_in_buffers(device, queue);
  sort_on_the_host(queue);
  transform_macroblocks(queue);
  search_motion(device);
  find_three_stars(queue);
  parse_h264_stream();
  EXPECT_OK(millrace_queue_free(queue));
  EXPECT_OK(millrace_device_close(device));
  return failures - before;
}
