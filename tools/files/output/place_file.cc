// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/files/output/place_file.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace millrace::tools {
namespace {

int rename_to_new(const char* from, const char* to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

int reserve(const char* path) {
  const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  return descriptor < 0 ? -1 : close(descriptor);
}

int error_of(int result) { return result == 0 ? 0 : errno; }

// The name is this process's own once the empty file is there.
int replace_reserved(const char* from, const char* to, const PlacementCalls& calls) {
  int error = error_of(calls.reserve(to));
  if (error != 0) return error;
  error = error_of(calls.rename(from, to));
  if (error != 0) calls.unlink(to);
  return error;
}

}  // namespace

const PlacementCalls kSystemPlacement = {.rename_to_new = tools::rename_to_new,
                                         .rename = ::rename,
                                         .link = ::link,
                                         .reserve = tools::reserve,
                                         .unlink = ::unlink};

int place_file(const std::string& from, const std::string& to, bool replaces,
               const PlacementCalls& calls) {
  if (replaces) return error_of(calls.rename(from.c_str(), to.c_str()));
  const int first = error_of(calls.rename_to_new(from.c_str(), to.c_str()));
  if (first == 0 || first == EEXIST || first == ENOENT || first == ENOSPC) return first;
  const int linked = error_of(calls.link(from.c_str(), to.c_str()));
  if (linked == 0) calls.unlink(from.c_str());
  if (linked == 0 || linked == EEXIST) return linked;
  const int reserved = replace_reserved(from.c_str(), to.c_str(), calls);
  return reserved == 0 || reserved == EEXIST ? reserved : first;
}

}  // namespace millrace::tools
