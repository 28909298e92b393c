// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/timeline.h"

#include <QObject>

#include <optional>

namespace lockstep::ui {

class XRange;

/// At which step the cross-hair of all charts stands, and in which of them a person reads it. Lives
/// in the GUI thread.
class CrossHair : public QObject
{
    Q_OBJECT

public:
    /// The range must outlive it.
    explicit CrossHair(const XRange& range) : m_range(range) {}

    /// The row of the range's timeline.
    [[nodiscard]] std::optional<std::int64_t> row() const noexcept { return m_row; }
    /// When that row happened.
    [[nodiscard]] std::optional<Moment> moment() const;
    void setRow(std::optional<std::int64_t> row);
    /// Puts it at the row that is closest to a place on the axis.
    void setAt(double position);
    /// By rows; from nowhere to the newest row.
    void move(std::int64_t rows);
    /// The chart at which a person reads it, which has the card of values; nullptr: none since it
    /// went away last.
    [[nodiscard]] const QObject* reader() const noexcept { return m_reader; }
    void setReader(const QObject* chart);

signals:
    void changed();

private:
    const XRange& m_range;
    std::optional<std::int64_t> m_row;
    const QObject* m_reader = nullptr;
};

} // namespace lockstep::ui
