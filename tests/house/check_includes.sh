#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/house/check_includes.sh [root]: holds every #include of engine, app and ui against the rooms of
# the house (engine/README.md, ui/README.md). Prints `file:line: reason` for each line that breaks a rule and fails.
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

# Room, then the rooms it may include; it may include every room below those, too.
rooms='
base:
ranks: base
ranks/mpi: ranks
dataset/files: base
dataset/codecs: base
dataset/examples: dataset/codecs dataset/files
dataset/layouts: dataset/examples
dataset/formats: dataset/layouts
dataset/fetch: dataset/formats
input/order: dataset/examples
input/photo: input/order
input: dataset/formats input/photo
network: base
network/models: network
device: network
device/cpu/runtime: device
device/cpu/kernels: device/cpu/runtime
device/cpu/layout: device/cpu/kernels
device/cpu/convolution: device/cpu/layout
device/cpu/ops: device/cpu/convolution
device/cpu: device/cpu/ops
device/cuda/runtime: device
device/cuda/arrays: device/cuda/runtime
device/cuda/kernels: device/cuda/arrays
device/cuda/plans: device/cuda/arrays
device/cuda/pooling: device/cuda/arrays
device/cuda/ops: device/cuda/kernels device/cuda/plans device/cuda/pooling
device/cuda: device/cuda/ops
device/registry: device/cpu
tower: device input ranks
averaging: device ranks
update: device
metrics/scores: base
metrics: metrics/scores
metrics/verdicts: metrics
storage/sqlite: base
storage/rows: metrics storage/sqlite
storage/curves: storage/rows
storage/store: storage/curves
storage/checkpoint: metrics
storage/events: storage/store
session/config: averaging dataset/formats network/models storage/rows tower update
session/step/rows: device input
session/step: session/config session/step/rows
session/training: device/registry session/step storage/checkpoint
session/control: storage/store
session/gather: dataset/files metrics/verdicts session/control storage/events
session/evaluation: session/training storage/store
session/exchange: session/evaluation
session/events: session/training storage/events
session/estimate: session/bench session/evaluation session/events
session/run: metrics/verdicts session/control session/estimate
session/rate_finder: session/run
session/launch: session/run
session/mirror: session/control
session/remote: session/launch session/mirror
session/bench: session/training
session/selftest: session/step
api: session/run
'
# Those of the window; `engine` are the headers by topic.
ui_rooms='
engine:
theme:
models:
models/evaluation: models
models/figures: models
models/runs: models
bridge/base: models
bridge/series: bridge/base engine
bridge/remote: bridge/base engine
bridge/telemetry: bridge/base engine models/figures
bridge/session: bridge/series bridge/telemetry
bridge/readers: bridge/session
bridge/runs: bridge/session models/runs
bridge/validation: bridge/remote bridge/runs
bridge/preview: bridge/readers
plots/axes: bridge/series
plots/parts: bridge/series theme
plots/curves: plots/axes plots/parts
plots/rows: plots/axes plots/parts
plots/view: plots/curves plots/rows
plots/cards: plots/view
plots/charts: plots/cards
widgets/forms: theme
widgets/pictures: theme
widgets/bars: plots/axes widgets/forms
panels/shared: engine models/evaluation models/figures models/runs plots/charts widgets/bars widgets/forms widgets/pictures
panels/barrier: bridge/session panels/shared
panels/charts: bridge/preview bridge/runs panels/shared
panels/devices: bridge/readers panels/shared
panels/evaluation: bridge/preview panels/shared
panels/gradients: bridge/readers panels/shared
panels/layers: bridge/readers panels/shared
panels/log: panels/shared
panels/masks: bridge/preview panels/shared
panels/preview: bridge/preview panels/shared
panels/runs: bridge/remote bridge/runs panels/shared
panels/start: bridge/validation models/runs panels/barrier
panels/towers: bridge/session panels/shared
panels/training_plan: bridge/preview panels/shared
panels/run_form: bridge/validation panels/preview panels/training_plan
dialogs: bridge/remote bridge/validation models/figures widgets/bars widgets/forms
dialogs/scaling: bridge/readers plots/charts widgets/bars widgets/forms
dialogs/rate_finder: bridge/preview plots/charts widgets/forms
window/base: bridge/series engine theme
window/desktop: bridge/session widgets/bars window/base
window/alerts: panels/shared window/desktop
window/commands: window/alerts dialogs panels/charts panels/run_form panels/runs window/base
window: dialogs/rate_finder dialogs/scaling panels/barrier panels/devices panels/evaluation panels/gradients panels/layers panels/log
window: panels/masks panels/preview panels/start panels/towers window/alerts window/commands
'

folders=()
for folder in engine app ui; do
    [[ ! -d $folder ]] || folders+=("$folder")
done
files=()
if ((${#folders[@]} > 0)); then
    mapfile -t files < <(find "${folders[@]}" -type f \
        \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) | sort)
fi
if ((${#files[@]} == 0)); then
    echo "check_includes.sh: $PWD: no C++ file under engine, app or ui; is this the right folder?" >&2
    exit 1
fi

awk -v engine_rooms="$rooms" -v ui_rooms="$ui_rooms" '
    function addBelow(room, top,    list, count, i) {
        count = split(direct[room], list, " ")
        for (i = 1; i <= count; ++i) {
            if (!((top, list[i]) in allowed)) {
                allowed[top, list[i]] = 1
                names[top] = names[top] " " list[i]
                addBelow(list[i], top)
            }
        }
    }
    function readTable(table, isEngine,    lines, count, i) {
        count = split(table, lines, "\n")
        for (i = 1; i <= count; ++i) {
            if (split(lines[i], halves, ":") == 2) {
                direct[halves[1]] = direct[halves[1]] " " halves[2]
                if (isEngine) {
                    floors[halves[1]] = 1
                    sub(/\/.*/, "", halves[1])
                    floors[halves[1]] = 1
                }
            }
        }
    }
    function closeTable(    room) {
        for (room in direct) {
            allowed[room, room] = 1
            addBelow(room, room)
        }
    }
    function refuse(reason) {
        print FILENAME ":" FNR ": " reason
        ++refused
    }
    function nameOfInclude(line) {
        sub(/^[ \t]*#[ \t]*include[ \t]*["<]/, "", line)
        sub(/[">].*/, "", line)
        return line
    }
    function folderOf(name) {
        return sub(/\/[^\/]*$/, "", name) ? name : ""
    }
    function checkRoom(name,    room, target) {
        room = folderOf(substr(FILENAME, length(path[1]) + 2))
        target = folderOf(name)
        if (!(room in direct)) {
            refuse(path[1] "/" room " is not in the table of rooms")
        } else if (target in direct && !((room, target) in allowed)) {
            refuse("room " room " may not include \"" name "\" (it may include:" \
                (names[room] == "" ? " nothing of ours" : names[room]) ")")
        } else if (quoted && !(target in direct) && name !~ generated) {
            refuse("\"" name "\" names no room; write \"room/file.h\", or <…> for a library")
        }
    }
    function checkInclude(name,    target) {
        target = name
        sub(/\/.*/, "", target)
        if (index("/" name, "/../") > 0) {
            refuse("\"" name "\" leaves its folder; name it from the include root")
            return
        }
        if (path[1] == "engine") {
            if (depth > 2) { # engine/run.h and its like stand above all rooms
                checkRoom(name)
            }
        } else if (target in floors || (target == "engine" && name !~ topic)) {
            refuse(path[1] " may include nothing of the engine but the headers by topic, such as" \
                " \"engine/run.h\", not \"" name "\"")
        } else if (path[1] == "ui") {
            checkRoom(name)
        }
        if ((path[1] == "engine" || (path[1] == "app" && path[2] == "train")) && name ~ qt) {
            refuse("no Qt here, but <" name ">")
        }
        if (name ~ charts && !(path[1] == "ui" && path[2] == "plots")) {
            refuse("only ui/plots may name Qt Charts, but <" name ">")
        }
    }
    BEGIN {
        readTable(engine_rooms, 1)
        readTable(ui_rooms, 0)
        closeTable()
        generated = "^[^/]*[.](moc|cpp)$"
        qt = "^(Q[A-Z][A-Za-z0-9]*|Qt[A-Z][A-Za-z0-9]*/.*|q[a-z]+[.]h)$"
        topic = "^engine/[a-z0-9_]+[.]h$"
        charts = "^(QtCharts.*|.*/)?Q[A-Za-z]*(Chart|ChartView|Series|Axis|Legend|LegendMarker|ModelMapper|BarSet|BoxSet|CandlestickSet|PieSlice)$|^QtCharts"
    }
    FNR == 1 { depth = split(FILENAME, path, "/") }
    /^[ \t]*#[ \t]*include[ \t]*["<]/ {
        quoted = $0 ~ /include[ \t]*"/
        checkInclude(nameOfInclude($0))
        next
    }
    # What a library needs of CUDA is asked at run time; one file knows what was built in. Code that
    # only CUDA compiles may ask for its version.
    /^[ \t]*#[ \t]*(el)?if.*CUDA/ && FILENAME !~ /^engine\/device\/(registry\/device_registry[.]|cuda\/)/ {
        refuse("only engine/device/registry/device_registry may ask whether CUDA is built in")
    }
    END { exit refused > 0 }' "${files[@]}"
