// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/runs/runs_panel.h"

#include "bridge/base/file_names.h"
#include "bridge/remote/machine_connection.h"
#include "bridge/runs/overlay_runs.h"
#include "bridge/runs/run_summaries.h"
#include "panels/shared/row_painting.h"
#include "theme/palette.h"
#include "theme/tower_colors.h"
#include "widgets/bars/quiet_table.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/search_line.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace lockstep::ui {
namespace {

constexpr double kSide = 6.0;
constexpr double kAbove = 4.0;

/// Paints the rows of RunTableModel, with the little curve in the colour of its overlay, if any.
class RunDelegate : public WarningDelegate
{
public:
    using WarningDelegate::WarningDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index)
        const override
    {
        WarningDelegate::paint(painter, option, index);
        const auto* run = static_cast<const RunRow*>(index.data(RecordRole).value<const void*>());
        if (index.column() != RunTableModel::Curve || run->curve.empty()) {
            return;
        }
        const ThemeColors theme = themeColors(option.palette);
        const int overlay = index.data(ColorIndexRole).toInt();
        const bool isSelected = option.state.testFlag(QStyle::State_Selected);
        const QColor color = overlay >= 0 ? overlayColor(overlay, theme)
                             : isSelected ? option.palette.color(QPalette::HighlightedText)
                                          : theme.mutedText;
        const QRectF cell(option.rect);
        if (overlay >= 0 && isSelected) { // its colour needs its ground
            painter->save();
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(Qt::NoPen);
            painter->setBrush(theme.card);
            painter->drawRoundedRect(cell.adjusted(2, 2, -2, -2), 3, 3);
            painter->restore();
        }
        paintSmallCurves(
            *painter, {run->curve}, cell.adjusted(kSide, kAbove, -kSide, -kAbove), {color});
    }
};

constexpr int kRowPadding = 9;
constexpr int kCellPadding = 16;
constexpr int kLeastFilter = 120;
constexpr int kMostFilter = 340;
constexpr int kRowsWanted = 6;

} // namespace

RunsPanel::RunsPanel(RunSummaries& summaries, OverlayRuns& overlays, QWidget* parent)
    : Panel(parent), m_summaries(summaries), m_overlays(overlays),
      m_filter(new SearchLine(
          QStringLiteral("runs_filter"), tr("Filter by name, state, model, data set"),
          tr("Shows only the runs in which all of these words occur"), this)),
      m_note(new NoteLabel(NoteLabel::Tone::Muted, this)),
      m_table(new QuietTable(QStringLiteral("runs_table"), tr("Runs"), this))
{
    setObjectName(QStringLiteral("runs"));
    m_filter->setMinimumWidth(kLeastFilter);
    m_filter->setMaximumWidth(kMostFilter);
    m_note->setObjectName(QStringLiteral("runs_note"));
    makeTable();
    makeActions();
    makeColumnMenu();

    columnIn(this, {}, 4, {rowOf({{m_filter, 2}, {m_note, 3}}, 12, {8, 4, 8, 0}), {m_table, 1}});
    follow();
    updateActions();
    updateNote();
}

void RunsPanel::makeTable()
{
    m_table->setModel(&m_filtered);
    m_table->setItemDelegate(new RunDelegate(m_table));
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_table->setAlternatingRowColors(true);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(RunTableModel::Started, Qt::DescendingOrder);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kRowPadding);
    m_table->horizontalHeader()->setSectionsMovable(true);
    m_table->installEventFilter(this);
    setFirstWidths();
}

/// As wide as what usually stands there.
void RunsPanel::setFirstWidths()
{
    const QStringList usual =
        QStringLiteral(
            "☐  CIFAR-10 · 4 × 128 · rate 0.05|mmmmmmmm|Stopped at step 12,000|CIFAR-10 network|"
            "generated pictures|1,200 of 12,000|0.000|0.000|00.0 %|00.0 %|24,310|4 × 128|4,096|"
            "0.0125|momentum|bfloat16|12/31/26 10:00 PM")
            .split(QLatin1Char('|'));
    const QHeaderView& header = *m_table->horizontalHeader();
    for (int column = 0; column < RunTableModel::ColumnCount; ++column) {
        const QString title =
            m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const int width = std::max(
            header.fontMetrics().horizontalAdvance(title),
            fontMetrics().horizontalAdvance(usual[column]));
        m_table->setColumnWidth(column, width + kCellPadding);
    }
    for (const int column :
         {RunTableModel::GlobalBatch, RunTableModel::Rate, RunTableModel::Optimizer,
          RunTableModel::Precision}) {
        m_table->hideColumn(column);
    }
}

/// Which columns there are, from the header and from the menu of a run.
void RunsPanel::makeColumnMenu()
{
    auto* const menu = new QMenu(tr("Col&umns"), m_table);
    for (int column = RunTableModel::Name + 1; column < RunTableModel::ColumnCount; ++column) {
        QAction* const action =
            menu->addAction(m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setCheckable(true);
        connect(action, &QAction::toggled, this, [this, column](bool isShown) {
            m_table->setColumnHidden(column, !isShown);
        });
        connect(menu, &QMenu::aboutToShow, action, [this, column, action] {
            action->setChecked(!m_table->isColumnHidden(column));
        });
    }
    m_table->addAction(menu->menuAction());
    QHeaderView* const header = m_table->horizontalHeader();
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QWidget::customContextMenuRequested, menu, [menu, header](const QPoint& at) {
        menu->popup(header->mapToGlobal(at));
    });
}

void RunsPanel::follow()
{
    connect(&m_summaries, &RunSummaries::listed, &m_model, &RunTableModel::keepOnly);
    connect(&m_summaries, &RunSummaries::summarised, this, [this](const RunRow& row) {
        m_model.setRow(row);
        m_overlays.refresh(row.folder);
    });
    connect(&m_summaries, &RunSummaries::refreshed, this, [this] {
        updateNote();
        updateActions();
    });
    connect(&m_model, &RunTableModel::overlayWanted, this, &RunsPanel::overlay);
    connect(&m_model, &RunTableModel::renameWanted, this, &RunsPanel::rename);
    connect(&m_overlays, &OverlayRuns::changed, this, [this] {
        m_model.setOverlays(m_overlays.colors());
        updateNote();
        updateWatching();
    });
    connect(&m_overlays, &OverlayRuns::failed, this, &RunsPanel::updateNote);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_filtered.setFilter({words.split(QLatin1Char(' '), Qt::SkipEmptyParts)});
        updateNote();
    });
    connect(
        m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        &RunsPanel::updateActions);
}

void RunsPanel::updateNote(const QString& problem)
{
    if (!problem.isEmpty()) {
        m_note->setNote(problem);
        return;
    }
    const QLocale locale;
    const int all = m_model.rowCount();
    const int shown = m_filtered.rowCount();
    QString text = all == 0 ? tr("No runs yet")
                   : shown == all
                       ? (all == 1 ? tr("1 run") : tr("%1 runs").arg(locale.toString(all)))
                       : tr("%1 of %2 runs").arg(locale.toString(shown), locale.toString(all));
    if (!machineName().isEmpty()) {
        text = tr("%1 on %2").arg(text, machineName());
    }
    const auto overlaid = m_overlays.overlays().size();
    if (overlaid > 0) {
        text += tr(" · %1 over the charts, of %2 at most")
                    .arg(locale.toString(static_cast<qulonglong>(overlaid)))
                    .arg(OverlayRuns::kMost);
    }
    m_note->setNote(text);
}

void RunsPanel::updateWatching()
{
    m_summaries.setWatching(isInSight() || !m_overlays.overlays().empty());
}

void RunsPanel::setShownRun(const std::filesystem::path& folder)
{
    m_shown = folder;
    m_model.setShown(toQString(folder));
    updateActions();
}

void RunsPanel::setMachine(MachineConnection& machine)
{
    m_machine = &machine;
    connect(m_machine, &MachineConnection::machineChanged, this, [this] {
        updateActions();
        updateNote();
    });
    updateActions();
}

QString RunsPanel::machineName() const
{
    return m_machine != nullptr ? m_machine->name() : QString();
}

void RunsPanel::setFineTuningEnabled(bool isEnabled)
{
    m_isFineTuningEnabled = isEnabled;
    updateActions();
}

QByteArray RunsPanel::saveState() const
{
    return m_table->horizontalHeader()->saveState();
}

void RunsPanel::restoreState(const QByteArray& state)
{
    m_table->horizontalHeader()->restoreState(state);
}

/// The filter, the header and a few runs.
QSize RunsPanel::sizeHint() const
{
    const int around = m_filter->sizeHint().height() + m_table->horizontalHeader()->height()
                       + m_table->horizontalScrollBar()->sizeHint().height() + kCellPadding;
    return {
        m_table->horizontalHeader()->length(),
        around + kRowsWanted * m_table->verticalHeader()->defaultSectionSize()};
}

/// Space checks the selected runs, whatever column the keyboard is in.
bool RunsPanel::eventFilter(QObject* watched, QEvent* event)
{
    const bool isSpace = event->type() == QEvent::KeyPress
                         && static_cast<const QKeyEvent*>(event)->key() == Qt::Key_Space;
    if (watched == m_table && isSpace && m_overlay->isEnabled()) {
        toggleOverlays();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace lockstep::ui
