// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <optional>

namespace lockstep::ui {

/// The tower that stands out: whose curve or row is under the pointer, else whose row is selected.
/// Shared by the charts and the table of a window. GUI thread.
class TowerHighlight : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] std::optional<int> tower() const { return m_pointed ? m_pointed : m_selected; }
    /// Nothing: the pointer is at none.
    void point(std::optional<int> tower) { set(m_pointed, tower); }
    void select(std::optional<int> tower) { set(m_selected, tower); }
    [[nodiscard]] std::optional<int> selected() const noexcept { return m_selected; }

signals:
    void changed();

private:
    void set(std::optional<int>& place, std::optional<int> tower)
    {
        const std::optional<int> before = this->tower();
        place = tower;
        if (this->tower() != before) {
            emit changed();
        }
    }

    std::optional<int> m_pointed;
    std::optional<int> m_selected;
};

} // namespace lockstep::ui
