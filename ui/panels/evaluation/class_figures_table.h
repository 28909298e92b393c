// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/readers/evaluation_reader.h"
#include "models/evaluation/image_models.h"
#include "widgets/bars/quiet_table.h"

#include <QSortFilterProxyModel>

namespace lockstep::ui {

/// Recall, precision and F1 of every class of an evaluation, those of the lowest recall first.
class ClassFiguresTable : public QuietTable
{
    Q_OBJECT

public:
    explicit ClassFiguresTable(QWidget* parent = nullptr);

    void setPicture(const EvaluationPicture& picture);
    /// Selects the class whose images are listed, where it is all of one class. Tells nobody.
    void setFilter(const ClassFilter& filter);

signals:
    /// A person chose a class.
    void filterWanted(const lockstep::ui::ClassFilter& filter);

private:
    ClassFiguresModel m_model;
    QSortFilterProxyModel m_order;
};

} // namespace lockstep::ui
