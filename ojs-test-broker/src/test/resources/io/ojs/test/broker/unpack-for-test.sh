#!/bin/sh
# unpack-for-test.sh SUITE DIRECTORY
# Makes a tree as unpack-rabbitmq.sh does, in two steps between which it can be interrupted or overtaken,
# and leaves a line in the cache each time it runs. With a file 'hang' there it stops between the two.
set -eu
cache=$(dirname "$2")
echo "$$" >> "$cache/runs"
scripts=$2/root/usr/lib/rabbitmq/lib/rabbitmq_server-1/sbin
mkdir -p "$scripts" "$2/root/usr/lib/erlang/bin"
for script in rabbitmq-server rabbitmqctl; do
  echo '#!/bin/sh' > "$scripts/$script"
  chmod 755 "$scripts/$script"
done
touch "$cache/half"
if [ -e "$cache/hang" ]; then exec sleep 60; fi
sleep 0.5
touch "$scripts/rabbitmq-env"
