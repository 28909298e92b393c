// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/log_model.h"

namespace lockstep::ui {

void LogModel::append(const QString& text, bool isWarning, const QDateTime& time)
{
    if (rowCount() == kMostLines) {
        beginRemoveRows({}, 0, 0);
        m_lines.pop_front();
        endRemoveRows();
    }
    beginInsertRows({}, rowCount(), rowCount());
    m_lines.push_back({time, isWarning, text});
    endInsertRows();
}

void LogModel::clear()
{
    beginResetModel();
    m_lines.clear();
    endResetModel();
}

QString LogModel::toPlainText() const
{
    QString all;
    for (const Line& line : m_lines) {
        all +=
            QStringLiteral("%1 %2 %3\n")
                .arg(
                    line.time.toString(Qt::ISODate),
                    line.isWarning ? QStringLiteral("warning") : QStringLiteral("info"), line.text);
    }
    return all;
}

int LogModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int LogModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

TableColumn LogModel::column(int number) const
{
    return number == Time ? TableColumn{tr("Time"), tr("When it was reported")}
                          : TableColumn{tr("Message"), tr("What was reported")};
}

QVariant LogModel::value(int row, int column) const
{
    return column == Time ? QVariant(line(row).time) : QVariant(line(row).text);
}

QString LogModel::text(int row, int column) const
{
    if (column == Text) {
        return line(row).text;
    }
    const QDateTime& time = line(row).time;
    const bool isToday = time.date() == QDate::currentDate();
    return time.toString(isToday ? QStringLiteral("HH:mm:ss") : QStringLiteral("MM-dd HH:mm"));
}

QVariant LogModel::other(int row, int /*column*/, int role) const
{
    switch (role) {
    case WarningRole:
        return line(row).isWarning;
    case Qt::ToolTipRole:
        return line(row).text;
    case Qt::AccessibleDescriptionRole:
        return line(row).isWarning ? tr("Warning") : QString();
    default:
        return {};
    }
}

} // namespace lockstep::ui
