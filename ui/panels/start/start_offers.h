// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/validation/presets.h"
#include "bridge/validation/run_estimate.h"

#include <optional>
#include <vector>

namespace lockstep::ui {

/// That of the person's own pictures.
inline constexpr const char* kPicturesPreset = "inception_imagenette";

/// All presets in the order of the start page: some in words of its own first, a person's last.
std::vector<Preset> startOffers();

/// What each is expected to take on this computer. Any thread but the window's.
std::vector<std::optional<RunEstimate>> estimatesOf(const std::vector<RunConfig>& configs);

} // namespace lockstep::ui
