#!/bin/sh
# unpack-rabbitmq.sh SUITE DIRECTORY
#
# Unpacks RabbitMQ and its Erlang from the packages of a Debian or Ubuntu suite into DIRECTORY/root.
# Nothing is installed: apt works on lists, a cache and a package state of its own below DIRECTORY, so
# that neither root nor the host's own package state is involved. The packages come, verified by the
# distribution's key, from the mirror that this host's apt is configured for.
#
# The tree can be moved: nothing in it knows where it is. ERL_ROOTDIR tells (ROOT/usr/lib/erlang).
set -eu
suite=$1 work=$2
root=$work/root apt=$work/apt

mkdir -p "$root" "$work/debs" "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/preferences.d"
: > "$apt/status"
# Read after the host's own configuration, of which the proxy and the like are kept; what it runs after
# an update is meant for the host's lists.
cat > "$apt/apt.conf" <<CONF
Dir::State "$apt";
Dir::State::lists "$apt/lists";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferencesparts "$apt/preferences.d";
APT::Install-Recommends "false";
APT::Sandbox::User "";
Acquire::Languages "none";
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
Debug::NoLocking "true";
CONF

# Third parties' repositories look like a mirror too. Where apt already has lists it knows the origin;
# otherwise each one is tried, and the signature decides.
mirrors() {
  all=$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' | grep -v security | sort -u)
  known=$(echo "$all" | sed -nE 's/^(Debian|Ubuntu) //p')
  if [ -n "$known" ]; then echo "$known"; else echo "$all" | sed 's/^[^ ]* //'; fi
}

signed=
for keyring in /usr/share/keyrings/debian-archive-keyring.gpg /usr/share/keyrings/ubuntu-archive-keyring.gpg; do
  if [ -s "$keyring" ]; then signed="[signed-by=$keyring]"; break; fi
done

packages=
for mirror in $(mirrors); do
  echo "deb $signed $mirror $suite main" > "$apt/sources.list"
  apt-get -c "$apt/apt.conf" -qq update || continue
  # With an empty package state apt names everything down to libc. The Erlang VM needs the libraries.
  packages=$(apt-get -c "$apt/apt.conf" -s install rabbitmq-server | awk '$1 == "Inst" { print $2 }' |
    grep -E '^(rabbitmq-server$|erlang-|lib|zlib1g)' | grep -vE '^lib(perl|python|systemd-shared)' || true)
  case $packages in *rabbitmq-server*) break ;; esac
done
case $packages in
  *rabbitmq-server*) ;;
  *) echo "no package rabbitmq-server in suite $suite on the mirror that apt is configured for" >&2; exit 1 ;;
esac

# Word splitting is meant: one word is one package.
(cd "$work/debs" && apt-get -c "$apt/apt.conf" -qq download $packages)
for deb in "$work"/debs/*.deb; do dpkg -x "$deb" "$root"; done
rm -rf "$root/usr/share/doc" "$root/usr/share/man"

# Debian's start scripts know one place only.
sed -i 's#ROOTDIR=/usr/lib/erlang$#ROOTDIR=$ERL_ROOTDIR#' "$root"/usr/lib/erlang/bin/erl "$root"/usr/lib/erlang/erts-*/bin/erl

# The suite's libc need not be the host's, so each Erlang program runs through the loader and the
# libraries that were unpacked with it.
cd "$root"
loader=$(ls usr/lib/*-linux-gnu*/ld-linux*.so.* lib/*-linux-gnu*/ld-linux*.so.* 2> /dev/null | head -n 1)
[ -n "$loader" ] || { echo "suite $suite has no dynamic loader for this machine" >&2; exit 1; }
libraries=
for directory in usr/lib/*-linux-gnu* lib/*-linux-gnu*; do
  if [ -d "$directory" ]; then libraries="$libraries${libraries:+:}\$root/$directory"; fi
done
find usr/lib/erlang -type f -perm -u+x ! -name '*.so*' | while read -r program; do
  [ "$(head -c 4 "$program" | tail -c 3)" = ELF ] || continue
  mv "$program" "$program.bin"
  cat > "$program" <<WRAPPER
#!/bin/sh
root=\${ERL_ROOTDIR%/usr/lib/erlang}
self=\$(readlink -f "\$0")
exec "\$root/$loader" --library-path "$libraries" --argv0 "\$0" "\$self.bin" "\$@"
WRAPPER
  chmod 755 "$program"
done
