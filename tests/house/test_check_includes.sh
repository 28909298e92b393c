#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/house/test_check_includes.sh <empty folder>: plants, in a small tree of its own, a line for
# every rule, and checks that check_includes.sh fails and names that line and no other; and that it
# lets a tree pass in which all is as it should be.
set -euo pipefail
checker=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/check_includes.sh
tree=${1:?usage: test_check_includes.sh <folder>}
failures=0

say() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# put <file> <line…>: writes the file into the tree.
put() {
    mkdir -p "$tree/$(dirname "$1")"
    printf '%s\n' "${@:2}" >"$tree/$1"
}

soundTree() {
    rm -rf "$tree"
    put engine/run.h '#include "session/training/training_session.h"'
    put engine/base/error.h '#pragma once' '#include <queue>' '#include <string>'
    put engine/network/layer.h '#include "base/error.h"'
    put engine/device/op.h '#include "network/layer.h"' '#include "base/error.h"'
    put engine/device/cpu/ops/dense.cpp '#include "device/op.h"' '#include <dnnl.hpp>'
    put engine/device/registry/device_registry.cpp '#ifdef LOCKSTEP_CUDA' '#endif'
    put engine/tower/tower.cpp '#include "input/batch.h"' '#include "dataset/examples/dataset.h"' '#include "network/layer.h"'
    put engine/session/training/training_session.h '#include "storage/checkpoint/checkpoint.h"' '#include "tower/tower.h"'
    put app/train/main.cpp '#include "engine/run.h"' '#include "command.h"' '#include <CLI/CLI.hpp>'
    put ui/plots/charts/loss_plot.cpp '#include <QtCharts/QChart>' '#include "plots/axes/x_range.h"' '#include "loss_plot.moc"'
    put ui/panels/towers/tower_panel.cpp '#include "models/figures/tower_table_model.h"' '#include "engine/records.h"' '#include <QWidget>'
}

# refused <file> <line>: plants the line as the second one of the file.
refused() {
    soundTree
    put "$1" '#pragma once' "$2"
    local output code=0
    output=$("$checker" "$tree") || code=$?
    ((code != 0)) || say "$1 may hold '$2'"
    [[ $output == "$1:2: "* ]] || say "'$2' in $1 is not named: '$output'"
    [[ $(grep -c . <<<"$output") == 1 ]] || say "'$2' in $1 brings more than one line: $output"
}

soundTree
output=$("$checker" "$tree") || say "a sound tree is refused: $output"

refused engine/base/planted.h '#include "session/training/training_session.h"'
refused engine/base/planted.h '#include <network/layer.h>'
refused engine/dataset/fetch/planted.h '#include "input/batch.h"'
refused engine/dataset/codecs/planted.h '#include "dataset/formats/cifar10.h"'
refused engine/dataset/planted.h '#include <vector>'
refused engine/input/planted.h '  #  include "network/layer.h"'
refused engine/network/planted.h '#include "device/op.h"'
refused engine/device/planted.h '#include "tower/tower.h"'
refused engine/tower/planted.h '#include "averaging/all_reduce.h"'
refused engine/averaging/planted.h '#include "update/optimizer.h"'
refused engine/update/planted.h '#include "metrics/step_record.h"'
refused engine/metrics/planted.h '#include "storage/checkpoint/checkpoint.h"'
refused engine/storage/store/planted.h '#include "network/layer.h"'
refused engine/tower/planted.h '#include "engine/run.h"'
refused engine/base/planted.h '#include "../tower/tower.h"'
refused engine/cellar/planted.h '#include <vector>'
refused engine/device/cpu/planted.cpp '#include "device/cuda/cuda_device.h"'
refused engine/device/cpu/ops/planted.cpp '#include "device/cuda/runtime/cuda_check.h"'
refused engine/device/cpu/kernels/planted.cpp '#include "device/cpu/ops/ops.h"'
refused engine/device/planted.cpp '#include "device/cpu/cpu_device.h"'
refused engine/session/step/planted.h '#include "session/training/training_session.h"'
refused engine/session/training/planted.h '#include "session/run/training_run.h"'
refused engine/session/control/planted.h '#include "session/config/run_config.h"'
refused engine/device/cuda/planted.cu '#include "device/cpu/cpu_device.h"'
refused engine/base/planted.h '#include <QString>'
refused engine/base/planted.h '#include <QtCore/QString>'
refused engine/base/planted.h '#include <qglobal.h>'
refused app/train/planted.cpp '#include <QCoreApplication>'
refused app/train/planted.cpp '#include "session/training/training_session.h"'
refused app/dashboard/planted.cpp '#include "base/error.h"'
refused app/dashboard/planted.cpp '#include "engine/base/error.h"'
refused ui/bridge/session/planted.h '#include "metrics/step_record.h"'
refused ui/bridge/session/planted.h '#include "bridge/runs/run_library.h"'
refused ui/bridge/base/planted.h '#include "bridge/series/run_series.h"'
refused ui/bridge/planted.h '#include "bridge/base/mailbox.h"'
refused ui/panels/charts/planted.h '#include <QtCharts/QChartView>'
refused ui/panels/charts/planted.h '#include "panels/towers/tower_panel.h"'
refused ui/panels/charts/planted.h '#include "window/main_window.h"'
refused ui/widgets/forms/planted.h '#include <QValueAxis>'
refused ui/widgets/forms/planted.h '#include "engine/config.h"'
refused ui/models/runs/planted.h '#include "panels/towers/tower_panel.h"'
refused ui/plots/axes/planted.h '#include "plots/view/plot_view.h"'
refused ui/plots/view/planted.h '#include "bridge/session/live_run.h"'
refused engine/session/run/planted.cpp '#ifdef LOCKSTEP_CUDA'
refused ui/bridge/session/planted.h '#if defined(LOCKSTEP_CUDA)'

rm -rf "$tree"
mkdir -p "$tree"
if "$checker" "$tree" 2>/dev/null; then
    say "an empty tree passes"
fi

rm -rf "$tree"
((failures == 0)) && echo "check_includes.sh names every planted line"
