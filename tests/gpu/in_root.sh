#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# in_root.sh <folder> <command…>: for test_pack.sh; runs in a mount namespace of its own, which ends with
# the mounts.
set -euo pipefail
folder=$1
shift
mount --rbind /proc "$folder/proc"
mount --rbind /dev "$folder/dev"
exec chroot "$folder" "$@"
