// SPDX-License-Identifier: Apache-2.0
/* A C program over an installation: tries all of the interface on the devices it is given. */
#include <stdio.h>
#include <stdlib.h>

int count_failures_on(const char* name); /* bindings/c/c_program.c */

int main(int argc, char** argv) {
  int failures = 0;
  for (int i = 1; i < argc; ++i) {
    const int found = count_failures_on(argv[i]);
    printf("%s: %d failures\n", argv[i], found);
    failures += found;
  }
  return failures == 0 && argc > 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
