// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table_model.h"

#include <QDateTime>
#include <QHash>

namespace lockstep::ui {

/// How far a run came.
enum class RunStage {
    New,               ///< no step yet, and nobody trains it
    Training,          ///< by a process that is there
    Finished,          ///< all steps done
    Stopped,           ///< by a person; of a recorded run, nobody records it any more
    Failed,            ///< by an error
    EndedUnexpectedly, ///< its process is gone without a word: killed, or the machine was
    Unreadable,
};

/// A point of a run's little curve: the mean loss over a stretch of steps.
struct SmallCurvePoint
{
    double step = 0.0; ///< in the middle of the stretch
    double loss = 0.0; ///< not a number where the run's was not
};

/// What the table of runs tells of one. A plain value.
struct RunRow
{
    QString folder; ///< absolute: what the run is known by
    QString name;   ///< for people
    RunStage stage = RunStage::New;
    qint64 process = 0; ///< that trains it; 0: of another machine
    QString problem;    ///< why it can't be read
    QString model;
    QString dataset;
    int towers = 0;
    qint64 batchPerTower = 0;  ///< 0: not known
    double learningRate = 0.0; ///< of the first step; not a number: not known
    QString optimizer;
    QString precision;
    qint64 stepsDone = 0;
    qint64 stepsWanted = 0;
    // Of the mean loss at a step, of the test accuracy with moving averages (0 to 1).
    std::optional<double> lastLoss;
    std::optional<double> lowestLoss;
    std::optional<double> lastAccuracy;
    std::optional<double> bestAccuracy;
    std::optional<double> examplesPerSecond; ///< over its last steps
    QDateTime started;
    QString recordedBy;                 ///< of a run that another program trained: see RunPlan
    std::vector<SmallCurvePoint> curve; ///< by ascending step
};

/// How far a run came, in words.
QString stageText(const RunRow& run);

/// A figure of two runs, in words.
struct ComparedResult
{
    QString name;
    QString first;
    QString second;
    int better = 0; ///< 1: the first one, 2: the second one, 0: neither
};

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

    RunTableModel();

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
    QHash<QString, int> m_overlays;
    QString m_shown;
};

/// Words, each of which has to be in a run's name, state, model or data set; upper and lower case
/// are the same.
struct RunFilter
{
    QStringList words;

    [[nodiscard]] bool isListed(const RunRow& run) const;
};

/// The rows of a RunTableModel that a person wants to see, in the order of a column, once one is
/// chosen. Runs that do not know its figure come last in either direction.
class RunFilterModel : public FilterModel<RunRow, RunFilter>
{
public:
    explicit RunFilterModel(RunTableModel& model) : FilterModel(model, -1)
    {
        setSortCaseSensitivity(Qt::CaseInsensitive);
    }

protected:
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

} // namespace lockstep::ui
