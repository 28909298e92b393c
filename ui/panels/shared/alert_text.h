// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/records.h"

#include <QString>

namespace lockstep::ui {

/// What an alert says, as a sentence in the language of the window. Of one that was read from a
/// store, which keeps no figures, in the words of the process that trains.
QString alertText(const AlertRecord& alert);

} // namespace lockstep::ui
