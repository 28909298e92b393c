// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/runs/run_table_model.h"

#include <QStyledItemDelegate>

#include <utility>

class QColor;
class QPainter;
class QRectF;

namespace lockstep::ui {

/// Cells with WarningRole stand out, by their words, too; those with EmphasisRole are bold.
class WarningDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

/// As above; left of each figure a bar that is as long as BarRole says.
class BarDelegate : public WarningDelegate
{
    Q_OBJECT

public:
    /// `widest` of the figures, to which the bars leave room.
    BarDelegate(QString widest, QObject* parent)
        : WarningDelegate(parent), m_widest(std::move(widest))
    {
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index)
        const override;

private:
    const QString m_widest;
};

/// With round corners and without an edge; the painter stays as it is.
void fillRounded(QPainter& painter, const QRectF& area, double radius, const QColor& color);

/// Paints little curves so that all together fill the area, each in its colour; nothing where they
/// have no points.
void paintSmallCurves(
    QPainter& painter, const std::vector<std::vector<SmallCurvePoint>>& curves, const QRectF& area,
    const std::vector<QColor>& colors);

} // namespace lockstep::ui
