// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"

#include <QString>

#include <memory>

namespace lockstep::ui {

/// What the towers of a run that is set up need of their devices, in words.
struct MemoryNote
{
    QString text;
    bool isTooMuch = false; ///< for one of the devices
};

/// Plans the towers, which may take seconds: for a thread of its own. Null where they can't be
/// planned, which is said elsewhere.
std::shared_ptr<const MemoryNote> memoryNote(const RunConfig& config);

} // namespace lockstep::ui
