// SPDX-License-Identifier: Apache-2.0
/* The version of Millrace, for C and C++. tools/install reads it, too. */
#ifndef MILLRACE_RUNTIME_VERSION_H_
#define MILLRACE_RUNTIME_VERSION_H_

/* 10000 * major + 100 * minor + patch: 0.1.0. */
#define MILLRACE_VERSION 100

#endif /* MILLRACE_RUNTIME_VERSION_H_ */
