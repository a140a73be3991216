#!/bin/sh
# supervise.sh LOG FOLDER PROGRAM [ARGUMENT...]
#
# Runs a program for the JVM that holds the other end of stdin, and ends when the program does.
#
# Each line on stdin names a signal for the program, followed by " all" if it is for the program's children
# too, and is answered with the same line on stdout once the signal is sent, and once all threads stand still if
# it is STOP. The end of stdin means that the JVM is gone. The kernel closes the pipe however the
# JVM went, kill -9 included, which no shutdown hook could promise; then the program and its children are killed and
# FOLDER, unless empty, deleted. Also, the program outlives the JVM's shutdown hooks this way: applications that
# close in one still have their broker.
set -u

# Ctrl-C and a CI's time limit send their signal to the JVM's whole process group. Only the end of the JVM
# ends the program: so a session of its own, or deaf ears where that cannot be had.
if [ -z "${OJS_SUPERVISED-}" ] && command -v setsid > /dev/null; then
  export OJS_SUPERVISED=yes
  exec setsid sh "$0" "$@"
fi
[ -n "${OJS_SUPERVISED-}" ] || trap '' HUP INT QUIT TERM

log=$1 folder=$2
shift 2

# A background command of a script has no stdin, hence the duplicates. The program must not have them.
exec 3<&0 4>&1 < /dev/null >> "$log" 2>&1

"$@" 3<&- 4>&- &
program=$!

children() {
  cat "/proc/$program/task/$program/children" 2> /dev/null || pgrep -P "$program" || true
}

# A program that is stopped makes no further children. They can be in sessions of their own, so that no
# process group has them all.
signal_all() {
  kill -s STOP "$program"
  kill -s "$1" $(children) "$program"
}

# The kernel stops a thread when it next leaves or enters it, which a busy machine can put off. Five seconds at most.
await_stop() {
  for i in $(seq 500); do
    running=$(for process in "$@"; do grep -sLE '^State:[[:space:]]+[TXZ]' "/proc/$process/task/"*/status; done)
    [ -n "$running" ] || return 0
    sleep 0.01
  done
}

(
  while read -r signal whom <&3; do
    if [ "$whom" = all ]; then signal_all "$signal"; else kill -s "$signal" "$program"; fi
    if [ "$signal" = STOP ]; then await_stop "$program" $([ "$whom" != all ] || children); fi
    echo "$signal" >&4
  done
  trap '' USR1
  signal_all KILL
  exit 0
) &
watcher=$!

wait "$program"
status=$?
kill -s USR1 "$watcher" 2> /dev/null
# The watcher ends well only at the end of stdin.
if wait "$watcher" && [ -n "$folder" ]; then
  # Once more if a child that is just ending has written meanwhile.
  rm -rf "$folder" || { sleep 1; rm -rf "$folder"; }
fi
exit "$status"
