// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/series/running_mean.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::ui {

void RunningMean::Sums::add(double value)
{
    ++count;
    values += value;
    squares += value * value;
}

double RunningMean::Sums::standardError() const
{
    if (count < 2) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const auto number = static_cast<double>(count);
    const double aboutMean = std::max(0.0, squares - values * values / number);
    return std::sqrt(aboutMean / (number - 1.0) / number);
}

void RunningMean::append(double value)
{
    ++m_count;
    m_single.add(value);
    m_stretch += value;
    if (m_count % kStretch == 0) {
        m_stretches.add(m_stretch / kStretch);
        m_stretch = 0.0;
    }
}

double RunningMean::mean() const noexcept
{
    return m_count == 0 ? 0.0 : m_single.values / static_cast<double>(m_count);
}

double RunningMean::standardError() const
{
    const double single = m_single.standardError();
    return m_stretches.count < kFewestStretches ? single
                                                : std::max(single, m_stretches.standardError());
}

} // namespace lockstep::ui
