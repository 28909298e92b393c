// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/log/log_panel.h"

#include "panels/shared/row_painting.h"
#include "theme/palette.h"
#include "widgets/bars/quiet_table.h"
#include "widgets/forms/layouts.h"

#include <QAction>
#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHeaderView>
#include <QResizeEvent>
#include <QScrollBar>

namespace lockstep::ui {
namespace {

constexpr int kRowPadding = 4;
constexpr int kMillisecondsBeforeWrap = 150;

/// Times are muted.
class LogDelegate : public WarningDelegate
{
public:
    using WarningDelegate::WarningDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        WarningDelegate::initStyleOption(option, index);
        if (index.column() == LogModel::Time) {
            option->palette.setColor(QPalette::Text, themeColors(option->palette).mutedText);
        }
    }
};

} // namespace

LogPanel::LogPanel(QWidget* parent)
    : Panel(parent), m_table(new QuietTable(QStringLiteral("log_table"), tr("Log"), this))
{
    makeTable();
    m_wrapSoon.setSingleShot(true);
    m_wrapSoon.setInterval(kMillisecondsBeforeWrap);
    connect(&m_wrapSoon, &QTimer::timeout, m_table, &QTableView::resizeRowsToContents);
    columnIn(this, {}, kUsualSpacing, {m_table});
}

void LogPanel::makeTable()
{
    m_table->setModel(&m_model);
    m_table->setItemDelegate(new LogDelegate(m_table));
    m_table->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setWordWrap(true);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    const QFontMetrics metrics(m_table->font());
    m_table->verticalHeader()->setDefaultSectionSize(metrics.height() + kRowPadding);
    m_table->horizontalHeader()->hide();
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setColumnWidth(
        LogModel::Time, metrics.horizontalAdvance(QStringLiteral("00-00 00:00")) + 4 * kRowPadding);

    m_table->addAction(tr("Copy"), QKeySequence::Copy, this, &LogPanel::copySelected)
        ->setShortcutContext(Qt::WidgetShortcut);
    m_table->addAction(tr("Copy All"), this, [this] {
        QGuiApplication::clipboard()->setText(m_model.toPlainText());
    });
    m_table->addAction(tr("Clear"), this, &LogPanel::clear);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
}

void LogPanel::appendAt(const QDateTime& time, const QString& text, bool isWarning)
{
    const QScrollBar* const bar = m_table->verticalScrollBar();
    const bool isAtEnd =
        bar->value() >= bar->maximum() - m_table->verticalHeader()->defaultSectionSize();
    m_model.append(text, isWarning, time);
    m_table->resizeRowToContents(m_model.rowCount() - 1);
    if (isAtEnd) {
        m_table->scrollToBottom();
    }
}

/// Lines are wrapped anew, once the width stays as it is.
void LogPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) {
        m_wrapSoon.start();
    }
}

void LogPanel::copySelected() const
{
    QStringList lines;
    for (const QModelIndex& row : m_table->selectionModel()->selectedRows(LogModel::Text)) {
        lines.append(
            row.siblingAtColumn(LogModel::Time).data().toString() + QLatin1String("  ")
            + row.data().toString());
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace lockstep::ui
