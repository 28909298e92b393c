// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/log_model.h"

namespace lockstep::ui {
namespace {

QString timeText(const LogLine& line)
{
    const bool isToday = line.time.date() == QDate::currentDate();
    return line.time.toString(isToday ? QStringLiteral("HH:mm:ss") : QStringLiteral("MM-dd HH:mm"));
}

} // namespace

LogModel::LogModel()
    : RowModel(
        {{tr("Time"), tr("When it was reported"), &LogLine::time, timeText},
         {tr("Message"), tr("What was reported"), &LogLine::text}},
        {{WarningRole, &LogLine::isWarning},
         {Qt::ToolTipRole, &LogLine::text},
         {Qt::AccessibleDescriptionRole,
          [](const LogLine& line) { return line.isWarning ? tr("Warning") : QString(); }}})
{
}

void LogModel::append(const QString& text, bool isWarning, const QDateTime& time)
{
    if (rowCount() == kMostLines) {
        beginRemoveRows({}, 0, 0);
        m_rows.erase(m_rows.begin());
        endRemoveRows();
    }
    beginInsertRows({}, rowCount(), rowCount());
    m_rows.push_back({time, isWarning, text});
    endInsertRows();
}

QString LogModel::toPlainText() const
{
    QString all;
    for (const LogLine& line : rows()) {
        all +=
            QStringLiteral("%1 %2 %3\n")
                .arg(
                    line.time.toString(Qt::ISODate),
                    line.isWarning ? QStringLiteral("warning") : QStringLiteral("info"), line.text);
    }
    return all;
}

} // namespace lockstep::ui
