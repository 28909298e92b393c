// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

/// The names of an enumeration's values, which count from 0, in their order.
template<class Enum, std::size_t kCount>
struct EnumNames
{
    std::array<std::string_view, kCount> names;

    [[nodiscard]] constexpr std::string_view of(Enum value) const
    {
        return names.at(static_cast<std::size_t>(value));
    }
    /// Empty for a word that is none of them.
    [[nodiscard]] constexpr std::optional<Enum> find(std::string_view name) const
    {
        const auto* const found = std::ranges::find(names, name);
        return found == names.end() ? std::nullopt
                                    : std::optional(static_cast<Enum>(found - names.begin()));
    }
    /// Error(BadInput) for such a word; `refusal` says so, with {} in its place.
    [[nodiscard]] Enum named(
        std::string_view name, fmt::format_string<std::string_view&> refusal) const
    {
        if (const auto value = find(name)) {
            return *value;
        }
        fail(ErrorCode::BadInput, refusal, name);
    }
};

} // namespace lockstep
