// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/towers/tower_panel.h"

#include "models/engine_text.h"
#include "panels/shared/run_text.h"
#include "plots/parts/color_menu.h"
#include "plots/parts/tower_highlight.h"
#include "theme/tower_colors.h"
#include "widgets/bars/quiet_table.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/still_box.h"

#include <QEvent>
#include <QGridLayout>
#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include <algorithm>

namespace lockstep::ui {
namespace {

constexpr int kIconSide = 10;
constexpr int kMostRowsInView = 16;
constexpr int kFewestRowsInView = 4;
constexpr int kFewestInLowWindow = 2;
constexpr int kLowWindow = 700;
constexpr int kTableShare = 100;
constexpr int kCellPadding = 8;
constexpr int kRowPadding = 8;
constexpr double kTint = 0.18;

int towerOf(const QModelIndex& index)
{
    return index.data(ColorIndexRole).toInt();
}

/// Puts the tower's colour before its number, and a tint behind the row of the one that stands out.
class TowerDelegate : public QStyledItemDelegate
{
public:
    TowerDelegate(const TowerHighlight& highlight, QObject* parent)
        : QStyledItemDelegate(parent), m_highlight(highlight)
    {
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        const ThemeColors theme = themeColors(*option->widget);
        if (m_highlight.tower() == towerOf(index)) {
            option->backgroundBrush = mixed(theme.accent, theme.card, kTint);
        }
        if (index.column() != TowerTableModel::Tower) {
            return;
        }
        const double ratio = option->widget->devicePixelRatioF();
        QPixmap swatch(QSize(kIconSide, kIconSide) * ratio);
        swatch.setDevicePixelRatio(ratio);
        swatch.fill(theme.card); // an edge, to be seen on a selected row that has its colour
        QPainter(&swatch).fillRect(
            QRectF(1.0, 1.0, kIconSide - 2.0, kIconSide - 2.0), towerColor(towerOf(index), theme));
        option->icon = QIcon(swatch);
        option->icon.addPixmap(swatch, QIcon::Selected); // else it is tinted
        option->decorationSize = {kIconSide, kIconSide};
        option->features |= QStyleOptionViewItem::HasDecoration;
    }

private:
    const TowerHighlight& m_highlight;
};

} // namespace

TowerPanel::TowerPanel(LiveRun& run, TowerHighlight& highlight, QWidget* parent)
    : Panel(parent), m_run(run), m_highlight(highlight),
      m_table(new QuietTable(QStringLiteral("towers_table"), tr("Towers"), this)),
      m_lights(new QWidget(this))
{
    makeTable();
    shareHighlight();
    connect(&m_refresh, &RefreshTimer::due, this, &TowerPanel::showFigures);
    makeLights();
    columnIn(
        this, {4, 4, 8, 4}, kUsualSpacing,
        {{m_table, kTableShare}, // as high as it may be
         {new StillBox(m_lights, StillBox::Width::Fills, this), 1}});
    fitTable();
    connect(&run, &LiveRun::begun, this, &TowerPanel::showLights);
    connect(&run, &LiveRun::towersPlaced, this, [this] {
        const std::vector<TowerPlacement>& seats = m_run.seats();
        m_model.setSeats(seats);
        m_table->setColumnHidden(TowerTableModel::Memory, m_run.isRecorded()); // nobody tells it
        fitTable();
        if (!seats.empty() && !rankTitle(seats.front().device).isEmpty()) {
            m_columnsCame.start(); // long names
        }
    });
    connect(&run, &LiveRun::stepsAppended, this, [this] {
        if (isVisible()) {
            m_refresh.request();
        }
    });
    connect(
        &run.feed(), &RunFeed::deviceReadingArrived, this,
        [this](const DeviceReadingRecord& record) {
            if (record.device != "cpu") { // that is of all towers together: DevicesPanel has it
                m_model.setDevice(deviceFigures(record));
            }
        });
    // Once for all that come together.
    m_columnsCame.setSingleShot(true);
    connect(&m_columnsCame, &QTimer::timeout, this, [this] {
        fitTable();
        emit moreRoomWanted();
    });
    connect(&m_model, &QAbstractItemModel::modelReset, this, &TowerPanel::setWidths);
    connect(&m_model, &QAbstractItemModel::columnsInserted, this, [this] {
        setWidths();
        m_columnsCame.start();
    });
}

QSize TowerPanel::sizeHint() const
{
    return {widthAround(m_table->horizontalHeader()->length()), 300};
}

QSize TowerPanel::minimumSizeHint() const
{
    int width = 0;
    for (int column = 0; column < TowerTableModel::AlwaysThere; ++column) {
        width += m_table->columnWidth(column);
    }
    return {widthAround(width), layout()->minimumSize().height()};
}

int TowerPanel::widthAround(int tableWidth) const
{
    const QMargins margins = contentsMargins() + layout()->contentsMargins();
    return tableWidth + margins.left() + margins.right();
}

void TowerPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    showFigures();
}

void TowerPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitTable();
}

void TowerPanel::makeTable()
{
    m_table->setModel(&m_model);
    m_table->setItemDelegate(new TowerDelegate(m_highlight, m_table));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAlternatingRowColors(true);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kRowPadding);
    QHeaderView* const header = m_table->horizontalHeader();
    header->setMinimumSectionSize(30);
    header->setSectionResizeMode(QHeaderView::Interactive);
    setWidths();
}

/// A row that is pointed at or selected lets its tower's curves stand out, and the other way round.
/// A second click takes the selection back.
void TowerPanel::shareHighlight()
{
    m_table->setMouseTracking(true);
    m_table->viewport()->installEventFilter(this);
    connect(m_table, &QTableView::entered, this, [this](const QModelIndex& index) {
        m_highlight.point(towerOf(index));
    });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (m_selectedAtPress == towerOf(index)) {
            m_table->clearSelection();
        }
    });
    QItemSelectionModel* const selection = m_table->selectionModel();
    const auto select = [this, selection] {
        const QModelIndexList rows = selection->selectedRows();
        m_highlight.select(rows.isEmpty() ? std::nullopt : std::optional(towerOf(rows.front())));
    };
    connect(selection, &QItemSelectionModel::selectionChanged, this, select);
    connect(&m_model, &QAbstractItemModel::modelReset, this, select);
    connect(
        &m_highlight, &TowerHighlight::changed, m_table->viewport(), qOverload<>(&QWidget::update));
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, [this](QPoint position) {
        if (const QModelIndex index = m_table->indexAt(position); index.isValid()) {
            const ColorOwner owner{ColorOwner::Kind::Tower, towerOf(index)};
            openColorMenu(owner, m_table->viewport()->mapToGlobal(position), *m_table);
        }
    });
}

bool TowerPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Leave) {
        m_highlight.point(std::nullopt);
    } else if (event->type() == QEvent::MouseButtonPress) {
        m_selectedAtPress = m_highlight.selected();
    }
    return Panel::eventFilter(watched, event);
}

/// As high as its rows, so that what is said about them stands right below; it scrolls when there
/// are many.
void TowerPanel::fitTable()
{
    int around = m_table->horizontalHeader()->sizeHint().height();
    if (sizeHint().width() > width()) {
        around += m_table->horizontalScrollBar()->sizeHint().height();
    }
    const int rowHeight = m_table->verticalHeader()->defaultSectionSize();
    const int rows = std::clamp(m_model.rowCount(), 1, kMostRowsInView);
    const int fewest = window()->height() < kLowWindow ? kFewestInLowWindow : kFewestRowsInView;
    m_table->setMinimumHeight(around + std::min(rows, fewest) * rowHeight);
    m_table->setMaximumHeight(around + rows * rowHeight);
    updateGeometry();
}

/// As wide as what usually stands there: figures that change move nothing. Names of ranks are
/// longer than that.
void TowerPanel::setWidths()
{
    constexpr std::array<const char*, TowerTableModel::ColumnCount> kUsual{
        "▮ 00",     "cuda:00", "0.0000", "000,000", "000.0 MiB",
        "00.0 GiB", "100 %",   "99 °C",  "000 W",   "power limit"};
    for (int kind = 0; kind < TowerTableModel::ColumnCount; ++kind) {
        const int column = m_model.placeOf(static_cast<TowerTableModel::Column>(kind));
        if (column >= 0) {
            const QString title =
                m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
            const QString usual = QString::fromUtf8(kUsual[static_cast<std::size_t>(kind)]);
            int width = std::max(
                m_table->horizontalHeader()->fontMetrics().horizontalAdvance(title),
                fontMetrics().horizontalAdvance(usual));
            for (int row = 0; kind == TowerTableModel::Device && row < m_model.rowCount(); ++row) {
                const QString device = m_model.index(row, column).data().toString();
                width = std::max(width, fontMetrics().horizontalAdvance(device));
            }
            m_table->setColumnWidth(column, width + kCellPadding);
        }
    }
}

void TowerPanel::showFigures()
{
    if (!m_run.newestStep()) {
        return;
    }
    m_model.setFigures(towerFigures(*m_run.newestStep(), m_run.throughput()));
    showLights();
}

void TowerPanel::makeLights()
{
    const std::array titles{tr("Learning"), tr("Data"), tr("Pace")};
    auto* const grid = new QGridLayout(m_lights);
    grid->setContentsMargins(4, 4, 0, 0);
    grid->setColumnStretch(1, 1);
    for (int row = 0; row < static_cast<int>(titles.size()); ++row) {
        auto* const sentence = new NoteLabel(NoteLabel::Tone::Plain);
        sentence->setObjectName(QStringLiteral("light_%1").arg(row));
        sentence->setAccessibleName(titles[static_cast<std::size_t>(row)]);
        grid->addWidget(headingLabel(titles[static_cast<std::size_t>(row)]), row, 0, Qt::AlignTop);
        grid->addWidget(sentence, row, 1, Qt::AlignTop);
        m_sentences[static_cast<std::size_t>(row)] = sentence;
    }
    m_lights->hide();
}

/// The tower that one of them names is red wherever it is seen in this window.
void TowerPanel::showLights()
{
    const RunVerdicts* const verdicts = m_run.verdicts();
    m_lights->setVisible(verdicts != nullptr);
    std::optional<int> named;
    if (verdicts != nullptr) {
        const std::array<const Verdict*, 3> all{
            &verdicts->learning(), &verdicts->data(), &verdicts->pace()};
        for (std::size_t i = 0; i < all.size(); ++i) {
            m_sentences[i]->setNote(sentenceOf(*all[i], m_run.seats()));
            m_sentences[i]->setJudgement(judgementOf(all[i]->light));
        }
        if (verdicts->data().tower >= 0) {
            named = verdicts->data().tower;
        }
    }
    QWidget* root = this;
    while (root->parentWidget() != nullptr) { // window() would be the dock while that floats
        root = root->parentWidget();
    }
    setNamedTower(*root, named);
}

} // namespace lockstep::ui
