#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/packages/run.sh [FOLDER]: installs what packaging/package.sh made (FOLDER: build/packages) in clean Debian 12 roots, as a
# newcomer would, and looks: programs, window, desktop files, upgrade, removal; then the archive in a root without Qt.
# Needs root, debootstrap and Debian's mirror. OLDER=FOLDER names the packages that are upgraded from (default: these, with
# a lower version). Pictures of the windows stay in build/packages-test.
set -euo pipefail
project=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
packages=$(realpath "${1:-$project/build/packages}")
older=${OLDER:+$(realpath "$OLDER")}
cd "$project"
pictures=$PWD/build/packages-test
base=${XDG_CACHE_HOME:-$HOME/.cache}/lockstep-roots/bookworm
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
work=$(mktemp -d)
root=

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

leave_root() {
    [[ -z $root ]] || umount -lf "$root"/{dev,proc,sys} 2>/dev/null || true
}
trap 'leave_root; rm -rf --one-file-system "$work"' EXIT

new_root() {
    leave_root
    root=$work/$1
    cp -a "$base" "$root"
    mount --rbind --make-rslave /dev "$root/dev" # what is unmounted here stays there
    mount -t proc proc "$root/proc"
    mount --rbind --make-rslave /sys "$root/sys"
    cp /etc/resolv.conf "$root/etc/"
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
    chmod +x "$root/usr/sbin/policy-rc.d"
    mkdir "$root/packages"
    inside "useradd --create-home newcomer; apt-get update -qq"
}

inside() {
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive bash -euc "$1"
}

as_newcomer() {
    inside "su -l newcomer -s /bin/bash -c 'set -euo pipefail; $1'"
}

files_of_root() {
    inside "find / -xdev \( -path /proc -o -path /dev -o -path /home -o -path /tmp -o -path /packages -o -path /older -o -path /var/cache \
        -o -path /var/lib/apt -o -path /var/lib/dpkg -o -path /var/log \) -prune -o ! -type d -print | sort"
}

# window NAME COMMAND: starts it on a screen of its own and takes its picture.
window() {
    local name=$1 command=$2 screen
    mkdir -p "$pictures"
    as_newcomer "mkdir -p /tmp/screen; export XDG_RUNTIME_DIR=\$HOME; Xvfb :77 -screen 0 1440x900x24 -fbdir /tmp/screen >/dev/null 2>&1 & screen=\$!
        sleep 2; DISPLAY=:77 timeout -s INT 25 $command >\$HOME/window.log 2>&1 & sleep 18; cp /tmp/screen/Xvfb_screen0 \$HOME/$name.xwd; wait %2 || true; kill \$screen"
    screen=$root/home/newcomer/$name.xwd
    [[ $(od -An -v -tx4 -w4 "$screen" | sort -u | head -200 | wc -l) -ge 100 ]] || fail "$name: the window is blank: $screen"
    cp "$screen" "$pictures/"
    ! grep -i "could not\|error\|cannot" "$root/home/newcomer/window.log" || fail "$name: see above"
}

[[ -d $base ]] || {
    mkdir -p "$(dirname "$base")"
    debootstrap --variant=minbase bookworm "$base.part" "$mirror" >/dev/null
    mv "$base.part" "$base"
}

echo "=== lintian"
lintian --fail-on error,warning --tag-display-limit 0 "$packages"/*.deb

echo "=== a newcomer, from packages"
new_root deb
files_of_root >"$work/before"
cp "$packages"/lockstep{,-train}_*.deb "$root/packages/"
began=$(date +%s%N)
inside "apt-get install -y -qq --no-install-recommends /packages/*.deb >/dev/null"
as_newcomer "lockstep-train train --towers 2 --steps 30 --run runs/first >train.log"
echo "from apt install to the end of 30 steps: $((($(date +%s%N) - began) / 1000000)) ms"
grep -q "step 10" "$root/home/newcomer/train.log" || fail "no loss was printed"
as_newcomer "lockstep-train inspect runs/first >/dev/null; lockstep-train evaluate --checkpoint runs/first"
as_newcomer "lockstep --export runs/first --png first.png"
as_newcomer "lockstep --version; man -w lockstep-train >/dev/null 2>&1 || test -e /usr/share/man/man1/lockstep-train-train.1.gz"

echo "=== its desktop"
inside "apt-get install -y -qq --no-install-recommends xvfb desktop-file-utils appstream shared-mime-info libglib2.0-bin fonts-dejavu-core >/dev/null
    desktop-file-validate /usr/share/applications/lockstep.desktop
    appstreamcli validate --no-net --pedantic /usr/share/metainfo/*ockstep*.xml"
as_newcomer "for file in run.db run.toml; do gio info -a standard::content-type runs/first/\$file; done" | grep -c "vnd.lockstep" | grep -qx 2 ||
    fail "a run's files have no type of their own"
window deb-run "lockstep runs/first"

echo "=== upgrade and removal"
before=$(inside "sha256sum /home/newcomer/runs/first/run.db")
if [[ -z $older ]]; then
    older=$work/older
    mkdir "$older"
    for package in "$packages"/lockstep{,-train}_*.deb; do
        dpkg-deb -R "$package" "$work/package"
        sed -i 's/^Version: .*/Version: 0.8.0-1/; s/(= [^)]*)/(= 0.8.0-1)/' "$work/package/DEBIAN/control"
        dpkg-deb -b --root-owner-group "$work/package" "$older/" >/dev/null
        rm -rf "$work/package"
    done
fi
mkdir "$root/older"
cp "$older"/lockstep{,-train}_*.deb "$root/older/"
inside "apt-get install -y -qq --allow-downgrades /older/*.deb >/dev/null"
as_newcomer "lockstep-train --version | head -1; lockstep-train train --towers 2 --steps 12 --run runs/older >/dev/null"
inside "apt-get install -y -qq /packages/*.deb >/dev/null"
as_newcomer "lockstep-train train --run runs/older --resume --steps 20 >/dev/null; lockstep-train inspect runs/older >/dev/null"
[[ $before == "$(inside "sha256sum /home/newcomer/runs/first/run.db")" ]] || fail "the upgrade changed a run"
inside "apt-get purge -y -qq lockstep lockstep-train xvfb desktop-file-utils appstream shared-mime-info libglib2.0-bin fonts-dejavu-core >/dev/null
    apt-get autoremove --purge -y -qq >/dev/null"
files_of_root >"$work/after"
left=$(comm -13 "$work/before" "$work/after" | grep -i lockstep || true)
[[ -z $left ]] || fail "removal leaves $left"
[[ -e $root/home/newcomer/runs/first/run.db ]] || fail "removal took a run"
inside "test ! -e /usr/bin/lockstep-train"

echo "=== the recorder's, the GPU's and several ranks' packages"
cp "$packages"/*.deb "$root/packages/"
inside "apt-get install -y -qq --no-install-recommends /packages/*.deb >/dev/null"
as_newcomer "python3 -c \"import lockstep_recorder, importlib.metadata as m; print(lockstep_recorder.__version__, m.version(\\\"lockstep-recorder\\\"))\""
as_newcomer "lockstep-train devices; OMPI_MCA_rmaps_base_oversubscribe=1 lockstep-train launch -n 2 -- train --towers 2 --steps 12 --run runs/ranks | tail -1"

echo "=== a program of its own, with liblockstep-dev"
inside "apt-get install -y -qq --no-install-recommends g++ cmake make >/dev/null"
cp -r app/examples/own_batches "$root/home/newcomer/"
inside "chown -R newcomer: /home/newcomer/own_batches"
as_newcomer "cd own_batches; cmake -B build -DCMAKE_BUILD_TYPE=Release >/dev/null; cmake --build build >/dev/null; build/own_batches ../runs/own | tail -1"

echo "=== the archive, in a root without Qt"
new_root archive
inside "apt-get install -y -qq --no-install-recommends xz-utils xvfb fontconfig fonts-dejavu-core libegl1 >/dev/null"
[[ -z $(inside "find / -xdev -name 'libQt6*'") ]] || fail "this root has Qt"
tar -xf "$packages"/lockstep-*-linux-*.tar.xz -C "$root/home/newcomer"
inside "mv /home/newcomer/lockstep-* /home/newcomer/elsewhere; chown -R newcomer: /home/newcomer"
as_newcomer "elsewhere/bin/lockstep-train train --towers 2 --steps 30 --run runs/first >/dev/null; elsewhere/bin/lockstep-train devices; elsewhere/bin/lockstep --export runs/first --png first.png"
window archive-run "elsewhere/bin/lockstep runs/first"
echo "passed"
