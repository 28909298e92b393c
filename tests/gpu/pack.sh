#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the pack that proves and measures the CUDA half on any machine with an NVIDIA GPU: one file under
# 56 MiB with the programs, the libraries that a bare machine lacks, 5,000 images of CIFAR-10 and run.sh.
# See README.md beside this.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
limit_mib=56
part_bytes=$((49 << 20))
record_bytes=3073

usage() {
    cat <<'TEXT'
usage: tests/gpu/pack.sh [option…]

  --output FILE        the pack (default: build/lockstep-gpu-pack.tar.xz); with --whole-set the folder
                       of the parts (default: build/lockstep-gpu-cifar10)
  --preset NAME        build this preset (default: release)
  --build-folder DIR   build nothing, take the programs from DIR/bin
  --without-cuda       pack without liblockstep-cuda.so, to try the pack itself
  --quick              compress less, for tests
  --whole-set          instead of the pack: all of CIFAR-10 in three parts, to be joined on the machine
LOCKSTEP_TEST_DATA names the folder of the real data sets (default: ../shared/data).
TEXT
}

fail() {
    echo "pack.sh: $*" >&2
    exit 1
}

output=
preset=release
folder=
with_cuda=yes
whole_set=no
compression=-6
while (($# > 0)); do
    case "$1" in
    --output | --preset | --build-folder)
        (($# > 1)) || fail "$1 needs a value (see --help)"
        case "$1" in
        --output) output=$(realpath -m "$2") ;;
        --preset) preset=$2 ;;
        --build-folder) folder=$(realpath "$2") ;;
        esac
        shift
        ;;
    --without-cuda) with_cuda=no ;;
    --quick) compression=-0 ;;
    --whole-set) whole_set=yes ;;
    -h | --help) usage && exit 0 ;;
    *)
        echo "pack.sh: unknown option '$1' (see --help)" >&2
        exit 2
        ;;
    esac
    shift
done
cd "$root"
images=${LOCKSTEP_TEST_DATA:-$root/../shared/data}/cifar-10-batches-bin
[[ -e $images/test_batch.bin ]] || fail "there is no CIFAR-10 in $images; LOCKSTEP_TEST_DATA names its folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Neighbouring pixels are alike: their differences take a tenth less room.
pack_whole_set() {
    local parts=${output:-$root/build/lockstep-gpu-cifar10} bytes part
    mkdir -p "$parts"
    rm -f "$parts"/cifar10.tar.xz.*
    tar --create --owner=0 --group=0 --directory "$images" data_batch_{1..5}.bin test_batch.bin batches.meta.txt |
        xz --threads=0 --delta=dist=1 --lzma2=preset="${compression#-}",lc=0,pb=0 >"$work/cifar10.tar.xz"
    # The first part is the smallest: it travels with the pack.
    bytes=$(stat -c %s "$work/cifar10.tar.xz")
    ((bytes > 2 * part_bytes && bytes < 3 * part_bytes)) || fail "$bytes bytes are not three parts"
    local first=$((bytes - 2 * part_bytes)) from=(0 $((bytes - 2 * part_bytes)) $((bytes - part_bytes)))
    for part in 1 2 3; do
        dd if="$work/cifar10.tar.xz" of="$parts/cifar10.tar.xz.$part" bs=1M status=none \
            iflag=skip_bytes,count_bytes skip="${from[part - 1]}" count=$((part == 1 ? first : part_bytes))
    done
    (cd "$work" && sha256sum cifar10.tar.xz) >"$parts/cifar10.tar.xz.sha256"
    du -b "$parts"/cifar10.tar.xz.[0-9]
}

build() {
    local targets=(lockstep-train)
    [[ $with_cuda == no ]] || targets+=(lockstep-cuda)
    packaging/build.sh "$preset" "${targets[@]}"
    folder=$root/build/$preset
}

copy_programs() {
    mkdir -p "$pack/bin"
    cp "$folder/bin/lockstep-train" "$pack/bin/"
    [[ $with_cuda == yes ]] || return 0
    local library=$folder/bin/liblockstep-cuda.so
    [[ -e $library ]] ||
        fail "$library was not built: this needs the CUDA Toolkit, cuDNN and NCCL (or --without-cuda)"
    cp "$library" "$pack/bin/"
}

# Debian's libraries that the programs need, the C library apart; NVIDIA's are found on the machine. The
# last ones only NVIDIA's libraries ask for.
copy_libraries() {
    local library name nvidia='lib(cuda|cudnn|cublas|nccl|nv)'
    mkdir -p "$pack/lib" "$pack/glibc"
    local c_library=' ld-linux-x86-64.so.2 libc.so.6 libm.so.6 libmvec.so.1 libresolv.so.2 libpthread.so.0 libdl.so.2 librt.so.1 libutil.so.1 libanl.so.1 libnss_files.so.2 libnss_dns.so.2 '
    ldd "$pack"/bin/* | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u >"$work/libraries"
    if ldd "$pack"/bin/* | grep 'not found' | grep -vE "$nvidia"; then
        fail "the programs need libraries that are not here"
    fi
    while read -r library; do
        name=$(basename "$library")
        [[ $name =~ $nvidia || $c_library == *" $name "* ]] || cp -L "$library" "$pack/lib/$name"
    done <"$work/libraries"
    for name in $c_library; do
        library=$(dirname "$(ldd "$pack/bin/lockstep-train" | awk '$1 == "libc.so.6" { print $3 }')")/$name
        [[ -e $library ]] || library=/lib64/$name
        [[ ! -e $library ]] || cp -L "$library" "$pack/glibc/$name"
    done
    getconf GNU_LIBC_VERSION | sed 's/^glibc //' >"$pack/glibc/VERSION"
}

# The first images of every file: CIFAR-10's files are in random order.
copy_images() {
    local to=$pack/data/cifar-10-batches-bin file count
    mkdir -p "$to"
    cp "$images/batches.meta.txt" "$to/"
    for file in data_batch_{1..5}.bin test_batch.bin; do
        count=800
        [[ $file != test_batch.bin ]] || count=1000
        head -c $((count * record_bytes)) "$images/$file" >"$to/$file"
    done
}

copy_scripts() {
    cp tests/gpu/{run.sh,command.sh,parts.sh,trials.sh,modes.sh,ceilings.py,photos.py,report.py,README.md} \
        tests/benchmarks/peers/{pytorch_cifar10,pytorch_segdecnet,pytorch_inception,pytorch_step,peer_program,cifar10_start}.py \
        resources/presets/article_cifar10.toml resources/models/small.toml "$pack/"
    cp tests/gpu/lockstep-train.sh "$pack/lockstep-train"
    chmod +x "$pack/run.sh" "$pack/lockstep-train"
    {
        echo "made $(date -u +%FT%TZ) from $(git describe --always --dirty 2>/dev/null || echo 'no repository')"
        echo "on $(. /etc/os-release && echo "$PRETTY_NAME"), glibc $(cat "$pack/glibc/VERSION")"
        [[ $with_cuda == yes ]] || echo "without the CUDA half"
    } >"$pack/VERSION"
}

if [[ $whole_set == yes ]]; then
    pack_whole_set
    exit 0
fi
[[ -n $folder ]] || build
[[ -x $folder/bin/lockstep-train ]] || fail "there is no $folder/bin/lockstep-train"
pack=$work/lockstep-gpu-pack
copy_programs
copy_libraries
copy_images
copy_scripts
output=${output:-$root/build/lockstep-gpu-pack.tar.xz}
mkdir -p "$(dirname "$output")"
tar --create --sort=name --owner=0 --group=0 --directory "$work" lockstep-gpu-pack |
    xz --threads=0 "$compression" >"$output"
bytes=$(stat -c %s "$output")
echo "$output: $((bytes >> 10)) KiB"
((bytes < limit_mib << 20)) || fail "$output is not under $limit_mib MiB"
