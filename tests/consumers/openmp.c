// SPDX-License-Identifier: Apache-2.0
/* Millrace inside an OpenMP parallel region: every thread has a queue of its own, and one is shared by all. */
#include <millrace/c/millrace.h>

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kKeys = 20000, kThreads = 4 };

static int sorts(millrace_queue* queue, uint32_t seed) {
  uint32_t* keys = malloc(kKeys * sizeof(uint32_t));
  millrace_sort_arguments sort;
  int is_sorted = keys != NULL;
  if (!is_sorted) return 0;
  for (int i = 0; i < kKeys; ++i) keys[i] = seed = seed * 1664525u + 1013904223u;
  memset(&sort, 0, sizeof(sort));
  sort.size = sizeof(sort);
  sort.count = kKeys;
  sort.keys_in = keys;
  sort.keys_out = keys;
  sort.key_type = MILLRACE_U32;
  sort.space = MILLRACE_HOST;
  is_sorted = millrace_sort(queue, &sort) == MILLRACE_OK;
  for (int i = 1; i < kKeys; ++i) is_sorted = is_sorted && keys[i - 1] <= keys[i];
  free(keys);
  return is_sorted;
}

int main(void) {
  millrace_device* device = NULL;
  millrace_queue* shared = NULL;
  int right = 0;
  if (millrace_device_open("tbb", &device) != MILLRACE_OK) return EXIT_FAILURE;
  if (millrace_queue_create(device, NULL, &shared) != MILLRACE_OK) return EXIT_FAILURE;
#pragma omp parallel num_threads(kThreads) reduction(+ : right)
  for (int i = 0; i < 5; ++i) {
    millrace_queue* own = NULL;
    if (millrace_queue_create(device, NULL, &own) != MILLRACE_OK) continue;
    right += sorts(own, (uint32_t)(omp_get_thread_num() * 5 + i));
    right += sorts(shared, (uint32_t)i);
    if (millrace_queue_free(own) != MILLRACE_OK) right = -1000;
  }
  millrace_queue_free(shared);
  millrace_device_close(device);
  printf("%d of %d sorts in %d OpenMP threads are right\n", right, 10 * kThreads, kThreads);
  return right == 10 * kThreads ? EXIT_SUCCESS : EXIT_FAILURE;
}
