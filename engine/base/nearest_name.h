// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lockstep {

/// The one of `names` that needs the fewest letters added, removed or replaced to become `name`
/// (Levenshtein distance); the first of several. Needs a name at least.
std::string nearestName(std::string_view name, std::span<const std::string> names);

} // namespace lockstep
