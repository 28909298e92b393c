// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/enum_names.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

/// What a person should hear of without having to look for it.
enum class AlertKind {
    NotFinite,   ///< a loss or gradient is not a finite number: the run ends
    Plateau,     ///< the mean loss does not fall any more
    Stuck,       ///< no step is finished for long
    InputBound,  ///< the towers wait for data
    DiskLow,     ///< there is little room for the next checkpoints
    TowerLoss,   ///< a tower's loss or gradient is not that of the others
    SlowTower,   ///< a tower makes the others wait
    NotLearning, ///< the network does no better than chance, or gets worse
    SameData,    ///< all towers get the same rows
};

inline constexpr EnumNames<AlertKind, 9> kAlertKinds{
    {"not_finite", "plateau", "stuck", "input_bound", "disk_low", "tower_loss", "slow_tower",
     "not_learning", "same_data"}};

/// "plateau", "disk_low", …: as it stands in the run store and in the output for programs.
constexpr std::string_view toString(AlertKind kind)
{
    return kAlertKinds.of(kind);
}

/// Empty for a word that is none of these.
constexpr std::optional<AlertKind> alertKindByName(std::string_view name)
{
    return kAlertKinds.find(name);
}

/// Of a Stuck alert, for who has to act on it. A plain value.
struct StuckFigures
{
    double seconds = 0.0;  ///< for so long
    bool isSaving = false; ///< in a checkpoint
};

/// Told once when something begins to be so, and once when it is over. A plain value.
struct AlertRecord
{
    AlertKind kind = AlertKind::NotFinite;
    bool isOver = false;                    ///< what was told before is so no longer
    std::int64_t step = 0;                  ///< updates that were made then
    int tower = -1;                         ///< whom it is about; -1: no single tower
    std::string text;                       ///< one line for people: what it is and what to do
    std::optional<StuckFigures> stuck = {}; ///< of Stuck that begins
};

} // namespace lockstep
