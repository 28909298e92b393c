// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/gradient_agreement.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

namespace lockstep {

/// A tower whose gradients disagree with those of the others.
struct OutlyingTower
{
    int tower = 0;
    double cosine = 0.0; ///< of its gradient and the mean of the others', mean of the last records
    double othersCosine = 0.0; ///< the same of the other towers, mean
};

/// Watches the last records for a tower that brings other gradients than the rest: its data or its
/// device may be bad. The measure is the cosine of its gradient and the mean of the others', which
/// is low for all towers alike where the noise is large: a tower is named only if it lies below the
/// others' mean by more than chance explains (five standard errors of the difference over the last
/// 20 records, or over the last 100, which see less of a difference, but later) and by more than
/// half. Two towers can only disagree with each other: none is named. Nor is one where the
/// gradients of all cancel each other, as they do when there is nothing left to learn.
class GradientOutlier
{
public:
    /// Another number of towers begins anew.
    void add(const GradientAgreement& agreement);
    [[nodiscard]] std::optional<OutlyingTower> find() const;

private:
    [[nodiscard]] std::optional<OutlyingTower> findIn(std::size_t records) const;

    std::deque<std::vector<double>> m_cosines; ///< to the others, of the last records
};

} // namespace lockstep
