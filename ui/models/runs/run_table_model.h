// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/runs/run_row.h"
#include "models/table_model.h"

#include <QHash>

namespace lockstep::ui {

/// How far a run came, in words.
QString stageText(const RunRow& run);

/// All runs that are known, one a row. Those that are overlaid on the charts are checked and have
/// the number of their colour as ColorIndexRole.
class RunTableModel : public RowModel<RunRow>
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
        GlobalBatch,
        Rate,
        Optimizer,
        Precision,
        Started,
        ColumnCount
    };

    explicit RunTableModel(QObject* parent = nullptr);

    /// Leaves these rows and takes the others away.
    void keepOnly(const QStringList& folders);
    /// Adds a run, or renews its row.
    void setRow(RunRow row);
    /// Which runs are overlaid, with the number of each one's colour.
    void setOverlays(const QHash<QString, int>& colors);
    /// The run that the charts show; empty for none.
    void setShown(const QString& folder);

    /// -1 if there is none.
    [[nodiscard]] int rowOf(const QString& folder) const;

    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Of a name: Qt::CheckStateRole asks for its overlay, Qt::EditRole for another name.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

signals:
    /// A box was clicked; setOverlays() tells what came of it.
    void overlayWanted(const QString& folder, bool isOn);
    /// Another name was typed.
    void renameWanted(const QString& folder, const QString& name);

protected:
    [[nodiscard]] QString text(int row, int column) const override;
    /// FileRole: the folder. Qt::CheckStateRole of a name, ColorIndexRole (-1: not overlaid),
    /// WarningRole of a state, Qt::ToolTipRole, EmphasisRole,
    /// RecordRole: RunRow.
    [[nodiscard]] QVariant other(int row, int column, int role) const override;

private:
    [[nodiscard]] QString toolTip(int row, int column) const;

    QHash<QString, int> m_overlays;
    QString m_shown;
};

} // namespace lockstep::ui
