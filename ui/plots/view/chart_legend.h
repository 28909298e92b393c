// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/curves/curve.h"
#include "plots/parts/plot_header.h"

#include <QObject>
#include <QStringList>

namespace lockstep::ui {

/// What a person does with the keys of a chart: hides curves, shows them alone, asks whose colour
/// it is. GUI thread.
class ChartLegend : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// As the chart has arranged them for its latest frame.
    void setKeys(std::vector<LegendKey> keys) { m_keys = std::move(keys); }
    /// Says of each whether what it stands for is hidden.
    void markHidden(std::vector<LegendKey>& keys) const;
    [[nodiscard]] bool isHidden(const QString& key) const { return m_hidden.contains(key); }
    /// The same as in another one.
    void hideAs(const ChartLegend& other) { m_hidden = other.m_hidden; }
    /// Those that are not hidden.
    [[nodiscard]] std::vector<Curve> shown(const std::vector<Curve>& curves) const;

    /// Hides what the key there stands for, or shows it again; `isAlone`: hides all else. Returns
    /// whether there is a key.
    bool toggle(QPointF point, bool isAlone);
    [[nodiscard]] const LegendKey* keyAt(QPointF point) const;
    /// Whose colour is there.
    [[nodiscard]] std::optional<ColorOwner> ownerAt(QPointF point) const;

signals:
    /// Other curves are hidden.
    void changed();

private:
    std::vector<LegendKey> m_keys;
    QStringList m_hidden;
};

} // namespace lockstep::ui
