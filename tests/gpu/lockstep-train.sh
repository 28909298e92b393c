#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packed as `lockstep-train`: starts the pack's program on this machine, with any arguments.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/command.sh"
find_command "$here"
exec "${lockstep[@]}" "$@"
