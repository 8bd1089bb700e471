#!/usr/bin/env bash
# bundle_for_gpu.sh BUILD FOLDER [PROGRAM...]: copies programs of the build (record_on_gpu) and the shared libraries that
# they need into FOLDER, for an x86-64 machine that has a driver, glibc 2.36 or newer, and nothing else. A program looks for
# its libraries in the folder lib next to it.
set -euo pipefail
build=$1 folder=$2
shift 2
[ $# -gt 0 ] || set -- tests/tools/record_on_gpu
mkdir -p "$folder/lib"
for program in "$@"; do
  cp "$build/$program" "$folder/"
  # glibc and the loader are the machine's own; the driver is opened at run time.
  ldd "$build/$program" | awk '$3 ~ /^\// {print $3}' |
    grep -vE '/(libc|libm|libdl|libpthread|librt|ld-linux[^/]*)\.so' | xargs -r cp -L -t "$folder/lib"
done
du -sh "$folder" >&2
