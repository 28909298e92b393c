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
    NotFinite,  ///< a loss or gradient is not a finite number: the run ends
    Plateau,    ///< the mean loss does not fall any more
    Stuck,      ///< no step is finished for long
    InputBound, ///< the towers wait for data
    DiskLow,    ///< there is little room for the next checkpoints
    TowerLoss,  ///< a tower's loss is not that of the others
    SlowTower,  ///< a tower works longer than the others
};

inline constexpr EnumNames<AlertKind, 7> kAlertKinds{
    {"not_finite", "plateau", "stuck", "input_bound", "disk_low", "tower_loss", "slow_tower"}};

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

/// The numbers in an alert, for who puts it into other words; an alert has those of its kind. A
/// plain value.
struct AlertFigures
{
    std::int64_t steps = 0;   ///< that were looked at: all kinds but Stuck and DiskLow
    double share = 0.0;       ///< InputBound, SlowTower: of the time; TowerLoss: above the others'
    double loss = 0.0;        ///< Plateau: its mean
    bool isOtherRate = false; ///< Plateau that is over: the learning rate changed
    double seconds = 0.0;     ///< Stuck: for so long; over: the step took so long
    bool isSaving = false;    ///< Stuck: in a checkpoint
    double freeBytes = 0.0;   ///< DiskLow
    double checkpointBytes = 0.0; ///< DiskLow
};

/// Told once when something begins to be so, and once when it is over. A plain value.
struct AlertRecord
{
    AlertKind kind = AlertKind::NotFinite;
    bool isOver = false;                      ///< what was told before is so no longer
    std::int64_t step = 0;                    ///< updates that were made then
    int tower = -1;                           ///< whom it is about; -1: no single tower
    std::string text;                         ///< one line for people: what it is and what to do
    std::optional<AlertFigures> figures = {}; ///< none: of NotFinite, and where a store told it
};

} // namespace lockstep
