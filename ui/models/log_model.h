// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table_model.h"

#include <QDateTime>

namespace lockstep::ui {

struct LogLine
{
    QDateTime time;
    bool isWarning = false;
    QString text;
};

/// The log: one line a row, the newest at the end. Keeps the latest kMostLines.
class LogModel : public RowModel<LogLine>
{
    Q_OBJECT

public:
    enum Column { Time, Text };
    static constexpr int kMostLines = 10'000;

    /// Qt::ToolTipRole is the text, which may be longer than the cell.
    LogModel();

    void append(
        const QString& text, bool isWarning, const QDateTime& time = QDateTime::currentDateTime());
    void clear() { setRows({}); }
    /// All lines, for copying and saving: ISO time, level, text.
    [[nodiscard]] QString toPlainText() const;
};

} // namespace lockstep::ui
