// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

#include <cstddef>
#include <vector>

namespace lockstep::ui {

/// How the charts of a stack share its height, and which of them are folded down to their titles.
class ChartPlaces
{
public:
    enum class Choice : char {
        Automatic = 'a', ///< open where there is room for it
        Open = 'o',
        Folded = 'f',
    };

    /// Charts of one objective's loss each, as many as a network has at most.
    static constexpr std::size_t kObjectives = 4;

    /// The loss first: it is what a person looks at; then the objectives', then the others.
    struct Place
    {
        int height = 0; ///< while it is open; a share of what there is
        Choice choice = Choice::Automatic;
    };

    ChartPlaces();

    /// Text for the settings: "280a 115a 115f …".
    [[nodiscard]] QByteArray toText() const;
    /// Of as many charts, or of all but the objectives'; those of before stay if the text is none.
    void readText(const QByteArray& text);

    [[nodiscard]] bool isFolded(std::size_t chart, int heightOfAll) const;
    /// Whether it is one that gives way where there is no room for it.
    [[nodiscard]] bool givesWay(std::size_t chart) const;
    [[nodiscard]] QList<int> heights() const;

    std::vector<Place> places;
};

} // namespace lockstep::ui
