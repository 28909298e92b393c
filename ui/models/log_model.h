// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table_model.h"

#include <QDateTime>

#include <deque>

namespace lockstep::ui {

/// The log: one line a row, the newest at the end. Keeps the latest kMostLines.
class LogModel : public TableModel
{
    Q_OBJECT

public:
    enum Column { Time, Text, ColumnCount };
    static constexpr int kMostLines = 10'000;

    using TableModel::TableModel;

    void append(
        const QString& text, bool isWarning, const QDateTime& time = QDateTime::currentDateTime());
    void clear();
    /// All lines, for copying and saving: ISO time, level, text.
    [[nodiscard]] QString toPlainText() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;

protected:
    [[nodiscard]] TableColumn column(int number) const override;
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    /// WarningRole; Qt::ToolTipRole is the text, which may be longer than the cell.
    [[nodiscard]] QVariant other(int row, int column, int role) const override;

private:
    struct Line
    {
        QDateTime time;
        bool isWarning = false;
        QString text;
    };
    [[nodiscard]] const Line& line(int row) const { return m_lines[static_cast<std::size_t>(row)]; }

    std::deque<Line> m_lines;
};

} // namespace lockstep::ui
