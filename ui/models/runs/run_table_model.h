// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/runs/run_row.h"
#include "models/table_model.h"

#include <QHash>

#include <vector>

namespace lockstep::ui {

/// All runs that are known, one a row. Those that are overlaid on the charts are checked and have
/// the number of their colour as ColorIndexRole.
class RunTableModel : public TableModel
{
    Q_OBJECT

public:
    enum Column {
        Name,
        Curve,
        State,
        Model,
        DataSet,
        Steps,
        LastLoss,
        LowestLoss,
        LastAccuracy,
        BestAccuracy,
        ExamplesPerSecond,
        Towers,
        Started,
        ColumnCount
    };

    using TableModel::TableModel;

    /// Leaves these rows and takes the others away.
    void keepOnly(const QStringList& folders);
    /// Adds a run, or renews its row.
    void setRow(RunRow row);
    /// Which runs are overlaid, with the number of each one's colour.
    void setOverlays(const QHash<QString, int>& colors);
    /// The run that the charts show; empty for none.
    void setShown(const QString& folder);

    [[nodiscard]] const RunRow& run(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    /// -1 if there is none.
    [[nodiscard]] int rowOf(const QString& folder) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Of a name: Qt::CheckStateRole asks for its overlay, Qt::EditRole for another name.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

signals:
    /// A box was clicked; setOverlays() tells what came of it.
    void overlayWanted(const QString& folder, bool isOn);
    /// Another name was typed.
    void renameWanted(const QString& folder, const QString& name);

protected:
    [[nodiscard]] TableColumn column(int number) const override;
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    /// FileRole: the folder. Qt::CheckStateRole of a name, ColorIndexRole (-1: not overlaid),
    /// WarningRole of a state, Qt::ToolTipRole, EmphasisRole,
    /// RecordRole: RunRow.
    [[nodiscard]] QVariant other(int row, int column, int role) const override;

private:
    [[nodiscard]] QString toolTip(int row, int column) const;

    std::vector<RunRow> m_rows;
    QHash<QString, int> m_overlays;
    QString m_shown;
};

} // namespace lockstep::ui
