// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/runs/runs_panel.h"

#include "bridge/base/file_names.h"
#include "bridge/remote/machine_connection.h"
#include "bridge/runs/overlay_runs.h"
#include "bridge/runs/run_library.h"
#include "bridge/runs/run_summaries.h"
#include "bridge/runs/run_title.h"
#include "engine/base.h"
#include "models/engine_text.h"
#include "panels/shared/row_painting.h"
#include "theme/palette.h"
#include "theme/tower_colors.h"
#include "widgets/bars/quiet_table.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/search_line.h"

#include <QAction>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
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
            fillRounded(*painter, cell.adjusted(2, 2, -2, -2), 3.0, theme.card);
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
    const auto overlaid = std::ssize(m_overlays.overlays());
    if (overlaid > 0) {
        text += tr(" · %1 over the charts, of %2 at most")
                    .arg(locale.toString(overlaid))
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

QAction* RunsPanel::addAction(
    const QString& text, const QString& toolTip, const std::function<void()>& act)
{
    QAction* const action = m_table->addAction(text, this, act);
    action->setToolTip(toolTip);
    action->setStatusTip(toolTip);
    return action;
}

void RunsPanel::makeActions()
{
    const auto ofSelected = [this](void (RunsPanel::*wanted)(const std::filesystem::path&)) {
        return [this, wanted] { emit(this->*wanted)(selectedRuns().front()); };
    };
    m_open = addAction(tr("&Open"), tr("Shows the run"), ofSelected(&RunsPanel::openRequested));
    m_fineTune = addAction(
        tr("Fine-&Tune from This Run…"),
        tr("Sets up another run at step 0 with the weights of its newest checkpoint"),
        ofSelected(&RunsPanel::fineTuneRequested));
    m_overlay =
        addAction(tr("Over&lay on Charts"), tr("Draws its curves behind the run's own"), [this] {
            toggleOverlays();
        });
    m_compare = addAction(
        tr("&Compare Runs"), tr("Of the two selected runs, or of one and the shown one"), [this] {
            const auto runs = comparedRuns();
            emit compareRequested(runs.front(), runs.back());
        });
    m_folder = addAction(
        tr("Show in &Folder"), tr("Shows its files in the file manager"),
        ofSelected(&RunsPanel::openFolderRequested));
    m_remove = addAction(
        tr("&Remove from List"), tr("Forgets a run outside the default folder; keeps its files"),
        ofSelected(&RunsPanel::removeRequested));
    m_rename = addAction(
        tr("Re&name"), tr("Gives the run another name; its folder keeps its own"), [this] {
            m_table->edit(m_table->selectionModel()->selectedRows(RunTableModel::Name).front());
        });
    m_trash = addAction(
        tr("Move to &Trash…"), tr("Deletes the run with all its files"),
        ofSelected(&RunsPanel::trashRequested));
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, &RunsPanel::showMenu);
    connect(m_table, &QTableView::activated, this, [this] {
        if (m_open->isEnabled()) {
            m_open->trigger();
        }
    });
}

void RunsPanel::overlay(const QString& folder, bool isOn)
{
    if (isOn && m_machine != nullptr && m_machine->isMirror(toPath(folder))) {
        return m_machine->whenHere(toPath(folder), [this, folder] { layOver(folder, true); });
    }
    layOver(folder, isOn);
}

void RunsPanel::layOver(const QString& folder, bool isOn)
{
    if (!m_overlays.setOverlaid(folder, isOn)) {
        updateNote(
            tr("%1 runs lie over the charts, which is as many as can be told apart: take one away "
               "first")
                .arg(OverlayRuns::kMost));
    }
}

/// As the first of the selected ones is not.
void RunsPanel::toggleOverlays()
{
    const auto runs = selectedRuns();
    const bool isOn = !m_overlays.folders().contains(toQString(runs.front()));
    for (const std::filesystem::path& run : runs) {
        if (m_model.at(m_model.rowOf(toQString(run))).stage != RunStage::Unreadable) {
            overlay(toQString(run), isOn);
        }
    }
}

/// Its tool tips say why something can't be done.
void RunsPanel::showMenu(const QPoint& position)
{
    auto* const menu = new QMenu(m_table);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    menu->addActions(m_table->actions());
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

void RunsPanel::rename(const QString& folder, const QString& name)
{
    if (!machineName().isEmpty()) {
        return updateNote(onlyThereText());
    }
    try {
        setTitle(toPath(folder), name);
        m_summaries.refresh();
        emit renamed(toPath(folder));
    } catch (const Error& error) {
        updateNote(engineText(error.what()));
    }
}

std::vector<std::filesystem::path> RunsPanel::selectedRuns() const
{
    std::vector<std::filesystem::path> runs;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) {
        runs.push_back(toPath(index.data(FileRole).toString()));
    }
    return runs;
}

/// Two, or none.
std::vector<std::filesystem::path> RunsPanel::comparedRuns() const
{
    std::vector<std::filesystem::path> runs = selectedRuns();
    if (runs.size() == 1 && !m_shown.empty() && runs.front() != m_shown) {
        runs.insert(runs.begin(), m_shown);
    }
    return runs.size() == 2 ? runs : std::vector<std::filesystem::path>();
}

void RunsPanel::updateActions()
{
    const auto runs = selectedRuns();
    m_open->setEnabled(runs.size() == 1);
    m_fineTune->setEnabled(m_isFineTuningEnabled && runs.size() == 1);
    m_overlay->setEnabled(!runs.empty());
    const auto compared = comparedRuns();
    m_compare->setEnabled(!compared.empty());
    const auto isRecorded = [this](const std::filesystem::path& run) {
        const int row = m_model.rowOf(toQString(run));
        return row >= 0 && !m_model.at(row).recordedBy.isEmpty();
    };
    const bool isAny = std::ranges::any_of(runs, isRecorded);
    m_fineTune->setVisible(!isAny); // there are no weights
    m_compare->setVisible(!isAny && std::ranges::none_of(compared, isRecorded)); // nor settings
    m_folder->setEnabled(runs.size() == 1);
    const RunRow* const single =
        runs.size() == 1 ? &m_model.at(m_model.rowOf(toQString(runs.front()))) : nullptr;
    m_rename->setEnabled(single != nullptr && single->stage != RunStage::Unreadable);
    m_trash->setEnabled(
        single != nullptr && single->stage != RunStage::Training && runs.front() != m_shown);
    m_remove->setEnabled(runs.size() == 1 && !RunLibrary::isInDefaultPlace(runs.front()));
    const bool isThere = !machineName().isEmpty();
    for (QAction* const action : {m_fineTune, m_folder, m_rename, m_trash, m_remove}) {
        if (isThere) {
            action->setEnabled(false);
        }
        action->setToolTip(isThere ? onlyThereText() : action->statusTip());
    }
}

QString RunsPanel::onlyThereText() const
{
    return tr("The run and its files are on %1: this can only be done there").arg(machineName());
}

} // namespace lockstep::ui
