// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table_model.h"

#include <QDateTime>

namespace lockstep::ui {

/// A checkpoint on disk.
struct CheckpointItem
{
    qint64 step = 0;
    QString file;
    qint64 bytes = 0;
    QDateTime written;
    QString reason = {};   ///< why it was written, for people; empty if that is not known
    bool isPinned = false; ///< its run never deletes it
    bool isBest = false;   ///< of those that are there, by what the run goes by
    std::optional<double> accuracy = {}; ///< on the test set, 0 to 1, with moving averages if any
    bool operator==(const CheckpointItem&) const = default;
};

/// "pinned", "best", both or nothing.
QString keptText(const CheckpointItem& item);
/// "81.25 %"; empty where it is not known.
QString accuracyText(const CheckpointItem& item);

/// The checkpoints of a run, the newest on top. FileRole and Qt::ToolTipRole: the whole path.
class CheckpointModel : public RowModel<CheckpointItem>
{
    Q_OBJECT

public:
    enum Column { Step, Accuracy, Kept, Reason, File, Size, Written };

    CheckpointModel();

    void setItems(std::vector<CheckpointItem> items);
};

} // namespace lockstep::ui
