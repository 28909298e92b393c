#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/archive.sh BUILD FILE.tar.xz: a folder with the programs and all libraries that they need, to be unpacked and
# started anywhere: bin/lockstep, bin/lockstep-train. What every system with a screen has is left to it, since other parts
# of it are made for it: glibc, the C++ runtime, X11's and Wayland's own libraries, fonts. OpenGL's are there because Qt
# Charts links them; nothing draws with it.
set -euo pipefail
build=$1
archive=$2
name=$(basename "$archive" .tar.xz)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=$work/$name
of_the_system='^(ld-linux.*|libc|libm|libdl|libpthread|librt|libresolv|libstdc\+\+|libgcc_s|libdrm|libgbm|libX11|libX11-xcb|libxcb|libwayland-.*|libfontconfig|libfreetype|libexpat|libz)\.so'

for component in train window mpi cuda; do
    cmake --install "$build" --prefix "$folder" --component "$component" --strip >/dev/null
done
rm -rf "$folder"/share/{man,bash-completion,zsh,fish}

# Qt's plug-ins: what a window needs on X11 and Wayland, without a screen, and for pictures.
plugins=$(qmake6 -query QT_INSTALL_PLUGINS)
for plugin in platforms/libqxcb.so platforms/libqoffscreen.so platforms/libqwayland-generic.so \
    iconengines/libqsvgicon.so imageformats/libqsvg.so imageformats/libqjpeg.so \
    wayland-shell-integration wayland-decoration-client; do
    mkdir -p "$folder/lib/plugins/$(dirname "$plugin")"
    cp -rL "$plugins/$plugin" "$folder/lib/plugins/$(dirname "$plugin")/"
done
printf '[Paths]\nPrefix = ..\nPlugins = lib/plugins\n' >"$folder/bin/qt.conf"

# All that these link, but for what is of the system. Open MPI is the system's, if it has one, NVIDIA's libraries too.
mapfile -t binaries < <(find "$folder/bin" "$folder/lib/plugins" -type f \( -name '*.so*' -o -perm -u+x \) |
    xargs file | sed -n 's/: *ELF .*//p')
ldd "${binaries[@]}" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u | while read -r library; do
    [[ $(basename "$library") =~ $of_the_system ]] || install -m 644 "$library" "$folder/lib/"
done
# Each finds the others from where it lies, wherever that is.
for file in "${binaries[@]}" "$folder"/lib/*.so* "$folder"/lib/lockstep/*.so; do
    up=$(realpath --relative-to="$(dirname "$file")" "$folder/lib")
    patchelf --set-rpath "\$ORIGIN/$up" "$file"
done
cp LICENSE CHANGELOG.md "$folder/"
cp -r LICENSES "$folder/"

tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --mode=go-w \
    --directory "$work" "$name" | xz -9 --threads=1 >"$archive.part"
mv "$archive.part" "$archive"
