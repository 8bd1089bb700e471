# What app/run and tests/run share: install what is missing, fetch what is pinned, configure and build.
# Sourced with bash, from the project's folder. Never asks; what fails ends in one sentence and exit status 1.

say() { printf 'lanescope: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# names LIST: the packages of a list, without comments.
names() { sed 's/#.*//' "$1" | tr -s ' \t\n' '\n' | sed '/^$/d'; }

# install_debian LIST...: through apt what dpkg does not have yet.
install_debian() {
  local missing=() package list
  for list in "$@"; do
    for package in $(names "$list"); do
      dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
    done
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  command -v apt-get >/dev/null || die "these packages are missing and there is no apt-get to install them (Debian 12 was expected): ${missing[*]}"
  local root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || die "these packages are missing and there is no sudo to install them; as root, run: apt-get install ${missing[*]}"
    sudo -n true 2>/dev/null || die "these packages are missing and sudo wants a password; run: sudo apt-get install ${missing[*]}"
    root=(sudo -n)
  fi
  say "installing ${#missing[@]} Debian packages"
  local log=.cache/apt.log
  { "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q &&
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 ||
    die "apt-get could not install ${missing[*]}: $(grep -m1 -E '^E:|^Err' "$log" || tail -1 "$log") (all of it: $log)"
}

# download LIST: the pinned packages of PyPI, checked against their hashes, into .cache/download.
download() {
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --no-binary imgui-bundle \
    --python-version 3.11 --implementation cp --abi cp311 --abi abi3 --abi none --platform manylinux2014_x86_64 \
    --platform manylinux_2_17_x86_64 --platform manylinux2010_x86_64 --platform any -d .cache/download -r "$1" >.cache/pip.log 2>&1
}

unzip_to() { python3 -m zipfile -e "$1" "$2"; }

fetch_window() {
  local stamp=.cache/third_party/window.stamp
  cmp -s third_party/python-window.txt "$stamp" && return 0
  say "fetching the sources of the window (54 MB)"
  download third_party/python-window.txt ||
    die "the window's sources could not be fetched: $(tail -1 .cache/pip.log) (check the network; all of it: .cache/pip.log)"
  rm -rf .cache/third_party/bundle .cache/third_party/glad
  mkdir -p .cache/third_party/bundle .cache/third_party/glad
  tar xzf .cache/download/imgui_bundle-*.tar.gz -C .cache/third_party/bundle --strip-components=2 --wildcards \
    '*/external/imgui/imgui/*' '*/external/glfw/glfw/*' '*/external/imgui_test_engine/imgui_test_engine/*' \
    '*/external/portable_file_dialogs/*' || die "the window's sources could not be unpacked; is the disk full?"
  local wheel
  for wheel in .cache/download/{glad2,jinja2,markupsafe}-*.whl; do
    unzip_to "$wheel" .cache/third_party/glad || die "$wheel could not be unpacked; is the disk full?"
  done
  cp third_party/python-window.txt "$stamp"
}

# NVRTC is worth having and not needed: the lessons' PTX is part of the project.
fetch_cuda() {
  local stamp=.cache/third_party/cuda.stamp wheel
  cmp -s third_party/python-cuda.txt "$stamp" && return 0
  say "fetching the CUDA compiler and headers (97 MB)"
  if ! download third_party/python-cuda.txt; then
    say "the CUDA compiler could not be fetched, so lessons run from their stored PTX and kernels cannot be edited: $(tail -1 .cache/pip.log)"
    return 0
  fi
  rm -rf .cache/third_party/cuda && mkdir -p .cache/third_party/cuda
  for wheel in .cache/download/nvidia_*.whl; do
    unzip_to "$wheel" .cache/third_party/cuda || die "$wheel could not be unpacked; is the disk full?"
  done
  rm -f .cache/third_party/cuda/nvidia/*/lib/libnvrtc*.alt.so* .cache/third_party/cuda/nvidia/*/lib/*.a .cache/download/nvidia_*.whl
  cp third_party/python-cuda.txt "$stamp"
}

# fingerprint: of what the set-up depends on.
fingerprint() { cat third_party/*.txt third_party/setup.sh CMakePresets.json | cksum; }

# set_up KIND DEBIAN_LIST...: everything that a build needs; at once when nothing has changed since the last time.
set_up() {
  local stamp=.cache/third_party/$1.setup
  shift
  mkdir -p .cache/third_party .cache/download || die "the folder $PWD cannot be written; make it writable or copy the project elsewhere"
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(fingerprint)" ]; then return 0; fi
  install_debian "$@"
  command -v g++ >/dev/null || die "there is no C++ compiler; g++ 12 or later was expected"
  fetch_window
  fetch_cuda
  fingerprint >"$stamp"
}

# build PRESET TARGET...: configures where needed, builds; shows the log only when it fails.
build() {
  local preset=$1 folder log
  shift
  folder=build
  [ "$preset" = release ] || folder=build-$preset
  log=.cache/build-$preset.log
  if [ ! -f "$folder/build.ninja" ] || [ CMakePresets.json -nt "$folder/build.ninja" ]; then
    say "configuring ($folder)"
    cmake --preset "$preset" >"$log" 2>&1 || { cat "$log" >&2; die "the build could not be configured; the reason stands above (also in $log)"; }
  fi
  # Nothing to do is the common case, and ninja says so at once.
  if ! ninja -C "$folder" -n "$@" 2>/dev/null | tail -1 | grep -q 'no work to do'; then
    say "building ($folder); the first time takes some minutes"
    ninja -C "$folder" "$@" >"$log" 2>&1 || { grep -E -m20 'error|FAILED|ninja:' "$log" >&2; die "the build failed; the reason stands above (all of it: $log)"; }
  fi
}
