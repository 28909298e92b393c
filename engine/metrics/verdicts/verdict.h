// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/alert_record.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lockstep {

/// How one side of a training stands: green is what is well, amber costs time or accuracy, red is
/// what a person would end the run for.
enum class Light { Unknown, Good, Doubtful, Bad };

/// What a run comes to on one side: a light and one sentence. A plain value.
struct Verdict
{
    Light light = Light::Unknown;
    /// As what a person is alerted of it; none: there is nothing to hear of.
    std::optional<AlertKind> alert = {};
    int tower = -1;         ///< whom it is about; -1: no single tower
    std::int64_t since = 0; ///< updates that were made when this light and tower were found
    std::string text = {};  ///< one line for people, without a full stop
    const char* by = "";    ///< what found it: "its loss", "the barrier clock"
};

/// Whether a person has to be told: the sentence alone may change with every look.
constexpr bool isSameFinding(const Verdict& a, const Verdict& b)
{
    return a.light == b.light && a.alert == b.alert && a.tower == b.tower;
}

/// The finding that a person was told of, as far as the alert says it.
inline Verdict findingOf(const AlertRecord& told)
{
    const bool isOfGradients = told.text.find("gradients") != std::string::npos;
    const bool isOfAll = told.kind == AlertKind::SameData || told.tower < 0;
    return {
        Light::Bad,
        told.kind,
        told.tower,
        told.step,
        told.text,
        told.kind == AlertKind::SlowTower ? "the barrier clock"
        : isOfAll                         ? "their losses"
        : isOfGradients                   ? "its gradients"
                                          : "its loss"};
}

} // namespace lockstep
