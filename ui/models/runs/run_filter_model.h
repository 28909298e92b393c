// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

namespace lockstep::ui {

/// The rows of a RunTableModel that a person wants to see, in the order of a column. Runs that do
/// not know its figure come last in either direction.
class RunFilterModel : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit RunFilterModel(QObject* parent = nullptr);

    /// Words, each of which has to be in a run's name, state, model or data set; upper and lower
    /// case are the same.
    void setWords(const QString& words);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QStringList m_words;
};

} // namespace lockstep::ui
