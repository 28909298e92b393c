// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/preview/preview_batch.h"
#include "models/evaluation/image_models.h"

#include <QSortFilterProxyModel>
#include <QString>
#include <QWidget>

class QTableView;

namespace lockstep::ui {

class NoteLabel;

/// How many examples of each class a data set has, as bars; sorted by any column.
class BalancePage : public QWidget
{
    Q_OBJECT

public:
    explicit BalancePage(QWidget* parent = nullptr);

    void setBalance(const ClassBalance& balance);

private:
    void makeTable();

    ClassBalanceModel m_model;
    QSortFilterProxyModel m_order;
    QTableView* m_table;
    NoteLabel* m_words;
};

/// How evenly the classes of both splits are filled, a line for each: "Train: 50,000 examples of 10
/// classes, 5,000 each"; "… the largest class (ship: 900) has 3.0 times as many as the smallest
/// (cat: 300)"; which classes have none; and that batches are balanced, where they are.
QString balanceText(const ClassBalance& balance);

} // namespace lockstep::ui
