#!/bin/sh
# Write build/rootfs.tar, a small Debian from which the container image starts. It needs mmdebstrap,
# which knows the mirrors of a suite. A second argument names another mirror.
set -eu
suite=${1:-trixie}
cd "$(dirname "$0")/.."
mkdir -p build
exec mmdebstrap --variant=apt \
    --include=ca-certificates,postgresql-client,python3,python3-venv,tzdata \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    "$suite" build/rootfs.tar ${2:+"$2"}
