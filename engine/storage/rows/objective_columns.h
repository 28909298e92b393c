// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/objective_losses.h"
#include "storage/sqlite/sqlite_database.h"

#include <array>
#include <cstddef>
#include <optional>

namespace lockstep {

/// The columns `objective_loss_0` to `objective_loss_3` of a row: NULL beyond the network's
/// objectives.
std::array<std::optional<double>, ObjectiveLosses::kMost> objectiveColumns(
    const ObjectiveLosses& losses);

/// `objectives` losses from column `first` on.
ObjectiveLosses readObjectives(const SqliteStatement& row, int first, std::size_t objectives);

/// How many objectives have losses of their own in the rows of a store: none where the network has
/// only one. That a row is damaged is for readObjectiveNames() to say.
std::size_t objectivesOf(const SqliteDatabase& database);

} // namespace lockstep
