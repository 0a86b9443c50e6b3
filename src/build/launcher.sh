# Node runs behind this shell so that a terminal is usable again even after a death that no program can catch.
# Braces make the shell read all of it before the first command, so that a rebuild under a running program is harmless.
{
node=node
# In a checkout, the Node that its lock file names, by its hash; a package has its own place here.
brought='../node_modules/.bin/node'

# Beside a program that was copied to anywhere, anybody may have put a Node: all three are of one owner.
came_together() {
  if [ -O "$program" ] && [ -O "${own%/*}" ] && [ -O "$own" ]; then return 0; fi
  # shellcheck disable=SC2046 # three numbers
  set -- $(command -p stat -L -c %u "$program" "${own%/*}" "$own" 2>/dev/null ||
    command -p stat -L -f %u "$program" "${own%/*}" "$own" 2>/dev/null) # GNU's and BSD's
  [ $# -eq 3 ] && [ "$1" = "$2" ] && [ "$1" = "$3" ]
}
case $brought in
  '/'*) if [ -x "$brought" ]; then node=$brought; fi ;;
  *)
    case $0 in
      *'/'*)
        program=$0
        if [ -L "$program" ]; then program=$(command -p readlink -f "$program" 2>/dev/null) || program=$0; fi
        own=${program%/*}/$brought
        if [ -f "$own" ] && [ -x "$own" ] && came_together; then
          node=$own
          # A bare Linux lacks it. The loader takes this back, so that only Node finds libraries there.
          if [ -f "${own%/*}/libatomic.so.1" ]; then
            export LD_LIBRARY_PATH="\$ORIGIN${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
          fi
        fi
        ;;
    esac
    ;;
esac
if ! command -v "$node" >/dev/null 2>&1; then
  echo 'edgescope: needs Node 24 or newer, and there is no node in PATH. Get it from https://nodejs.org and try again.' >&2
  exit 1
fi

# A dump of the memory would hold the key. A system that pipes dumps to a program may ask no limit, but nothing private is
# in them then.
ulimit -c 0
if [ -w "/proc/$$/coredump_filter" ]; then echo 0 >"/proc/$$/coredump_filter"; fi

# Node would run compiled code from there whoever put it there; the program keeps its own where nobody else writes.
unset NODE_COMPILE_CACHE

# Node opens what is closed on /dev/null, and would print all of it to nobody.
if ! { true 3>&1; } 2>/dev/null; then
  echo 'edgescope: standard output is closed, so nothing can be printed. Leave it open, or send it to /dev/null.' >&2
  exit 1
fi

[ -t 1 ] || exec "$node" "$0" "$@"

settings() {
  if [ -t 0 ]; then command -p stty "$@" <&0; else command -p stty "$@" </dev/tty; fi 2>/dev/null
}

child=
waiting=
forward() {
  waiting=yes
  if [ -n "$child" ]; then kill -"$1" "$child" 2>/dev/null; else early=$1; fi
}
early=
for signal in HUP INT QUIT TERM; do
  # shellcheck disable=SC2064 # the name is wanted as it is now
  trap "forward $signal" "$signal"
done

# A session lasts for hours: what a busy minute took has to go back. The C library raises its bound for memory that goes
# back at once to the largest it ever freed, and keeps what each thread ever took; V8 keeps 70 MB for what is young. A lower
# bound frees 7 MB more of an idle session, and a log of 5,000 rows/s then takes a third more of the processor. The same
# in pipes would gain little.
export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-131072}" MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-131072}"
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}"
young=--max-semi-space-size=2

before=$(settings -g)
# A command in the background would read nothing: its input is taken from a copy.
exec 3<&0
"$node" "$young" "$0" "$@" <&3 3<&- &
child=$!
exec 3<&-
if [ -n "$early" ]; then kill -"$early" "$child" 2>/dev/null; fi

# The shell would name the death on the screen that is about to be left.
wait "$child" 2>/dev/null
code=$?
# A signal that was passed on ends the wait before the child does.
while [ -n "$waiting" ]; do
  waiting=
  wait "$child" 2>/dev/null
  again=$?
  [ "$again" -eq 127 ] || code=$again
done

death=
case $code in
  134) death='crashed (ABRT: out of memory, or a fault of Node itself)' ;;
  137) death='was killed (KILL)' ;;
  132 | 133 | 135 | 136 | 139) death="crashed ($(kill -l $((code - 128))))" ;;
esac
if [ -n "$before" ] && [ "$(settings -g)" != "$before" ]; then
  [ -n "$death" ] || if [ "$code" -gt 128 ]; then
    death="was ended by a signal ($(kill -l $((code - 128))))"
  else
    death="ended with code $code and left the terminal raw"
  fi
fi
if [ -n "$death" ]; then
  if [ -n "$before" ]; then settings "$before"; fi
  # Ends a synchronized update, colours, the scroll region and kitty keys; leaves the alternate screen; does the same
  # for the main one without moving the cursor; then wraps lines, shows the cursor, gives the wheel back, ends paste, a link, mouse,
  # focus reports.
  printf '\033[?2026l\033[0m\033[r\033[<u\033[?1049l\0337\033[r\0338\033[<u\033[0m\033[?7h\033[?25h\033[?1007r\033[?2004l'
  printf '\033]8;;\033\\\033[?1000l\033[?1002l\033[?1003l\033[?1006l\033[?1004l\r'
  echo "edgescope: $death; the terminal was restored." >&2
fi
exit "$code"
}
