// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::ui {

/// What the towers' gradients had in common with their mean over one or several measured steps.
struct CosinePoint
{
    std::int64_t firstStep = 0;
    std::int64_t lastStep = 0;
    std::vector<double> least; ///< by tower; not a number where none was defined
    std::vector<double> most;
};

/// The cosines of all towers over a run of any length, in a bounded number of points: where there
/// are too many, two neighbours become one that keeps the least and the greatest of both.
class CosineHistory
{
public:
    static constexpr std::size_t kMostPoints = 512;

    /// By ascending step.
    void add(std::int64_t step, const std::vector<double>& cosines);
    void clear() { *this = CosineHistory(); }
    [[nodiscard]] const std::vector<CosinePoint>& points() const { return m_points; }

private:
    void halve();

    std::vector<CosinePoint> m_points;
    std::size_t m_perPoint = 1;    ///< measured steps
    std::size_t m_inLastPoint = 0; ///< the same of the last point, which may be filling still
};

} // namespace lockstep::ui
