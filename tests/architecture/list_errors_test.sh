#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tools/bazel/list_errors prints a message of each way in which a source makes one. Runs on the source tree: by Bazel, or from its root by hand.
set -euo pipefail
if [[ -n ${TEST_SRCDIR:-} ]]; then cd "$(dirname "$(readlink -f WORKSPACE)")"; fi

failures=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
git -C "$scratch" init -q
list_errors=$PWD/tools/bazel/list_errors

# expect KIND FILE MESSAGES: expects these messages, a line each, of the source on standard input, which becomes FILE.
expect() {
  local kind=$1 name=$2 expected=$3 found
  cat >"$scratch/$name"
  found=$(cd "$scratch" && git add -A && "$list_errors" "$name" | sed -E 's/^[^:]*:[0-9]+: //')
  if [[ $found != "$expected" ]]; then
    printf 'FAILED: %s\nexpected: %s\nfound: %s\n' "$kind" "$expected" "$found"
    failures=$((failures + 1))
  fi
}

expect "an exception that is thrown, with its values" a.cc 'the size is {size}; it must be even' <<'END'
void check(int size) {
  if (size % 2) throw Error(ErrorCode::kInvalidArgument, "the size is " + std::to_string(size) + "; it must be even");
}
END

cat >"$scratch/check.h" <<'END'
[[noreturn]] void reject_size(const std::string& message);
[[noreturn]] void fail(const std::string& message);
END
git -C "$scratch" add check.h

expect "a function that a header declares [[noreturn]]" b.cc 'the size is odd' <<'END'
void f() { reject_size("the size is odd"); }
END

expect "a short one, where its header is included" c.cc 'the disk is full' <<'END'
#include <millrace/check.h>
void f() { fail("the disk is full"); }
END

expect "a short one that is another file's" d.cc '' <<'END'
void f() { fail("the disk is full"); }
END

expect "a [[noreturn]] function of the file, and what it throws itself" e.cc 'the disk: {what}
the file is empty' <<'END'
[[noreturn]] void stop(const std::string& what) { throw Error(ErrorCode::kIo, "the disk: " + what); }
void f() { stop("the file is empty"); }
END

expect "a fault of a stream" f.cc 'the set ends before its ids
an SP slice' <<'END'
SyntaxFault f() {
  if (ended) return damaged("the set ends before its ids");
  return unsupported("an SP slice");
}
END

expect "a check with its reason; not one of an argument's name" g.cc 'it is too short' <<'END'
void f() {
  check_chunk(bytes >= 32, "it is too short");
  check_range("count", count, 0, 9);
}
END

expect "what a function named after a problem returns, and functions that it calls" h.cc '; there are idct and sort
a subcommand is missing{known()}' <<'END'
std::string known() { return "; there are idct and sort"; }
std::string subcommand_problem() { return "a subcommand is missing" + known(); }
std::string title() { return "not a message"; }
END

expect "what is in a message" i.cc 'this build has the backends {names}
no device of this name; {linked_names()}' <<'END'
std::string linked_names() { return "this build has the backends " + names; }
void f() { throw Error(ErrorCode::kNotFound, "no device of this name; " + linked_names()); }
END

expect "Python" j.py 'no array' <<'END'
raise ValueError("no array")
END

expect "Starlark" l.bzl 'size is {ctx.attr.size}; it is one of {", ".join(_SIZES)}
mpi is missing: install it (Debian: apt install mpi), or set "MPI_HOME" to {home}' <<'END'
def _check(ctx, home):
    if ctx.attr.size not in _SIZES:
        fail("size is %s; it is one of %s" % (ctx.attr.size, ", ".join(_SIZES)))
    return ctx.which("mpicc") or fail(
        "mpi is missing: install it (Debian: apt install mpi), " +
        "or set \"MPI_HOME\" to %s" % home,
    )
END

expect "CMake" m.cmake '${target} has no SOURCES; write some
no backend ${backend}; there are ${have}' <<'END'
if(NOT sources)
  message(FATAL_ERROR "${target} has no SOURCES; write some")
endif()
message(STATUS "not an error")
message(FATAL_ERROR "no backend ${backend}; "
  "there are ${have}")
END

expect "a script" k.sh 'usage: k FILE' <<'END'
#!/usr/bin/env bash
echo "usage: k FILE" >&2
END

# Messages of the sources, one of each kind that was missing once.
all=$("$list_errors")
for message in 'algorithms/h264/bitstream/slice_header.cc:[0-9]+: SP slices are not supported' \
  'runtime/core/backend.cc:[0-9]+: this build has the backends' \
  'tools/command/common/command_line.cc:[0-9]+: a subcommand is missing' \
  'tools/command/idct/idct_options.cc:[0-9]+: --queue stream is for one process' \
  'tools/video/decoder/clip_decoder.cc:[0-9]+: no video stream' \
  'backends/mpi/mpi_library.bzl:[0-9]+: mpi is missing: there is no mpicc on PATH' \
  'tools/packages/cpack/CMakeLists.txt:[0-9]+: MILLRACE_PREFIX is'; do
  if ! grep -qE "^$message" <<<"$all"; then
    echo "FAILED: not printed: $message"
    failures=$((failures + 1))
  fi
done

if ((failures > 0)); then exit 1; fi
echo ok
