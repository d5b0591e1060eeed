#!/usr/bin/env bash
# Builds NuSMV 2.5.4 out of the sources that the package pynusmv carries, and puts the program into a folder.
# Newer compilers take them only as the C of then.
set -euo pipefail
target=$(realpath "${1:?the folder for the program}")
apt-get install -y -qq --no-install-recommends flex bison libexpat1-dev libreadline-dev libncurses-dev
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m pip download --no-deps --no-binary :all: pynusmv==1.0rc8 -d .
tar xzf pynusmv-1.0rc8.tar.gz
tar xzf pynusmv-1.0rc8/dependencies/NuSMV/NuSMV-2.5.4.tar.gz
printf '#!/bin/sh\nexec gcc -fcommon -std=gnu89 -w -fPIC "$@"\n' > cc
chmod +x cc
cd NuSMV-2.5.4
sed -i 's/union wait status/int status/' cudd-2.4.1.1/util/pipefork.c
make -C cudd-2.4.1.1 -f Makefile_64bit CC="$work/cc"
cd nusmv
./configure --disable-minisat --disable-zchaff CFLAGS="-O2"
make CC="$work/cc"
cp NuSMV "$target"
