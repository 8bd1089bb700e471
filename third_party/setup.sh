# What app/run and tests/run share: install what is missing, fetch what is pinned, configure, build.
# Sourced by bash in the project's folder. Method: every step first checks whether there is anything to do, so nothing is
# remembered that could be out of date; a run with nothing to do takes a fraction of a second. It asks no questions, writes
# messages to standard error (standard output belongs to the program), and reports a failure in one sentence, with status 1.

# For ccache: a precompiled header is part of what is compiled, not a reason to give up.
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}

say() { printf 'set-up: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# packages LIST...: the names in the lists, without comments.
packages() { sed 's/#.*//; s/[[:space:]]//g; /^$/d' "$@"; }

# lock_set_up: one set-up at a time in this checkout; a second one waits for the first.
lock_set_up() {
  { mkdir -p .cache/logs && : >>.cache/lock; } 2>/dev/null ||
    fail "the folder $PWD cannot be written; make it writable, or copy the project to one that is"
  exec 9>>.cache/lock
  if ! flock -n 9; then
    say "waiting for another set-up of this folder to end"
    flock 9
  fi
}
unlock_set_up() { exec 9>&-; }

# install_debian LIST...: through apt, what dpkg does not have.
install_debian() {
  local wanted missing as_root=() log=.cache/logs/apt.log
  mapfile -t wanted < <(packages "$@")
  command -v dpkg-query >/dev/null ||
    fail "dpkg was not found: this set-up installs Debian packages (tested on Debian 12)"
  mapfile -t missing < <(comm -23 <(printf '%s\n' "${wanted[@]}" | sort) \
    <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null | sed -n 's/^installed //p' | sort -u))
  [ ${#missing[@]} -eq 0 ] && return
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null ||
      fail "${#missing[@]} packages are missing and there is no sudo; as root, run: apt-get install --no-install-recommends ${missing[*]}"
    sudo -n true 2>/dev/null ||
      fail "${#missing[@]} packages are missing and sudo needs a password; run: sudo apt-get install --no-install-recommends ${missing[*]}"
    as_root=(sudo -n)
  fi
  say "installing ${#missing[@]} Debian packages with apt"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q -o DPkg::Lock::Timeout=600)
  # A failed update does not matter if the lists are there already: then the installation succeeds.
  "${apt[@]}" update >"$log" 2>&1 </dev/null || true
  "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >>"$log" 2>&1 </dev/null && return
  if grep -qE 'Temporary failure resolving|Could not (resolve|connect)|Unable to connect|Unable to locate package' "$log"; then
    fail "${#missing[@]} Debian packages are missing and the package mirror cannot be reached; check the network (apt's log: $log)"
  fi
  fail "apt could not install the missing Debian packages: $(grep -m1 '^E:' "$log" || tail -1 "$log") (the whole log: $log)"
}

# The system's Python: the one that Debian's pip and Jinja belong to, whatever comes first in a person's PATH.
python() { /usr/bin/python3 -I "$@"; }

# is_configured FOLDER TESTS OPTIONS...: whether CMake has run there for this place, these archives and these options.
is_configured() {
  local folder=$1 tests=$2 option
  shift 2
  [ ! CMakePresets.json -nt "$folder/build.ninja" ] || return 1
  [ ! .cache/third_party/window/.pins -nt "$folder/build.ninja" ] || return 1
  [ "$tests" = OFF ] || grep -qx 'LANESCOPE_TESTS:[A-Z]*=ON' "$folder/CMakeCache.txt" || return 1
  for option in "$@"; do
    option=${option#-D}
    grep -qx "${option%%=*}:[A-Z]*=${option#*=}" "$folder/CMakeCache.txt" || return 1
  done
}

# configure PRESET FOLDER TESTS(ON|OFF) [-DNAME=VALUE...]: CMake, where it has not run yet or ran for something else. Tests
# that were switched on stay on.
configure() {
  local preset=$1 folder=$2 tests=$3 fresh=() log=.cache/logs/configure-$1.log
  shift 3
  if [ -f "$folder/build.ninja" ]; then
    if ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$folder/CMakeCache.txt"; then
      fresh=(--fresh)
    elif is_configured "$folder" "$tests" "$@"; then
      return
    elif grep -qx 'LANESCOPE_TESTS:[A-Z]*=ON' "$folder/CMakeCache.txt"; then
      tests=ON
    fi
  fi
  [ "$(g++ -dumpversion 2>/dev/null | cut -d. -f1)" -ge 12 ] 2>/dev/null ||
    fail "g++ 12 or newer was expected and $(g++ --version 2>/dev/null | head -1 || true) was found; install Debian's g++"
  say "configuring $folder"
  cmake "${fresh[@]}" --preset "$preset" -B "$folder" -DLANESCOPE_TESTS="$tests" "$@" >"$log" 2>&1 </dev/null && return
  sed -n '/^CMake Error/,$p' "$log" | head -12 >&2
  fail "CMake could not configure $folder; the reason is above, and the whole log in $log"
}

# show_progress FOLDER [REMARK]: reads what ninja writes and reports the objects done of all and the time left: in place on
# a terminal, else a line every 30 seconds. Silent if there is nothing to do. (A dry run is no help: it counts the check of
# globbed folders as work.)
show_progress() {
  local folder=$1 remark=${2:-} line status started=$SECONDS shown=$SECONDS seconds left said=''
  while IFS= read -r line; do
    [[ $line =~ ^\[([1-9][0-9]*)/([0-9]+)\]\ (.*) ]] || continue
    [ -n "$said" ] || say "building in $folder${remark:+, $remark}"
    said=yes
    seconds=$((SECONDS - started)) left=''
    if [ "$seconds" -ge 20 ]; then
      left=$((seconds * (BASH_REMATCH[2] - BASH_REMATCH[1]) / BASH_REMATCH[1]))
      if [ "$left" -lt 60 ]; then left=', less than a minute left'; else left=", about $(((left + 30) / 60)) min left"; fi
    fi
    status="building: ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}$left"
    if [ -t 2 ]; then
      line="set-up: $status: ${BASH_REMATCH[3]}"
      printf '\r\033[K%s' "${line:0:100}" >&2
    elif [ $((SECONDS - shown)) -ge 30 ]; then
      say "$status"
      shown=$SECONDS
    fi
  done
  if [ -t 2 ]; then printf '\r\033[K' >&2; fi
}

# build FOLDER TARGET [REMARK]: ninja, with its progress; all that it writes is kept in a log.
build() {
  local folder=$1 target=$2 remark=${3:-} log=.cache/logs/build-$1.log status=0
  ninja -C "$folder" "$target" 2>&1 </dev/null | tee "$log" | show_progress "$folder" "$remark" || status=$?
  [ "$status" = 0 ] && return
  grep -m 20 -E 'error:|Error|FAILED:|undefined reference|ninja: (error|build)' "$log" >&2 || tail -20 "$log" >&2
  fail "$target could not be built in $folder; the reason is above, and the whole log in $log"
}

# set_up LIST...: packages and archives.
set_up() {
  lock_set_up
  install_debian "$@"
  python third_party/fetch.py "$PWD" || exit 1
}
