// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/gradients/gradient_panel.h"

#include "panels/gradients/gradient_text.h"
#include "panels/shared/layouts.h"
#include "panels/shared/row_painting.h"
#include "plots/axes/number_text.h"
#include "plots/charts/line_plot.h"
#include "theme/tower_colors.h"
#include "widgets/bars/quiet_table.h"
#include "widgets/forms/note_label.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::ui {
namespace {

struct CosineText
{
    Q_DECLARE_TR_FUNCTIONS(lockstep::ui::CosineText)
};

void append(const CosinePoint& point, std::size_t tower, std::vector<QPointF>& points)
{
    const double x = static_cast<double>(point.firstStep + point.lastStep) / 2.0;
    if (tower >= point.least.size() || !std::isfinite(point.least[tower])) {
        points.emplace_back(x, std::numeric_limits<double>::quiet_NaN());
        return;
    }
    const double middle = (point.least[tower] + point.most[tower]) / 2.0;
    points.emplace_back(x, middle);
    if (point.most[tower] > point.least[tower]) {
        points.emplace_back(x, point.least[tower]);
        points.emplace_back(x, point.most[tower]);
        points.emplace_back(x, middle);
    }
}

/// A line for each tower, through the middle of each point of the history, with a stroke from its
/// least value to its greatest.
std::vector<LineCurve> cosineCurves(const CosineHistory& history)
{
    std::size_t towers = 0;
    for (const CosinePoint& point : history.points()) {
        towers = std::max(towers, point.least.size());
    }
    std::vector<LineCurve> curves;
    for (std::size_t tower = 0; tower < towers; ++tower) {
        const int number = static_cast<int>(tower);
        curves.push_back({CosineText::tr("tower %1").arg(number), number});
        for (const CosinePoint& point : history.points()) {
            append(point, tower, curves.back().points);
        }
    }
    return curves;
}

/// The newest measured step's lowest cosine, and whose it is; empty where none is defined.
QString lowestCosineText(const CosineHistory& history)
{
    if (history.points().empty()) {
        return {};
    }
    const std::vector<double>& cosines = history.points().back().least;
    const auto lowest = std::ranges::min_element(cosines, {}, [](double cosine) {
        return std::isfinite(cosine) ? cosine : std::numeric_limits<double>::infinity();
    });
    return lowest == cosines.end() || !std::isfinite(*lowest)
               ? QString()
               : CosineText::tr("lowest %1 (tower %2)")
                     .arg(numberText(*lowest, {1.0, 2, {}}))
                     .arg(lowest - cosines.begin());
}

constexpr int kTableShare = 3;
constexpr int kChartShare = 2;
constexpr double kCosineSide = 6.0;
constexpr double kCosineHeight = 3.0;

/// Below each cosine a bar in the colour of its tower, full at 1; what points the other way in the
/// colour of errors.
class CosineDelegate : public WarningDelegate
{
public:
    using WarningDelegate::WarningDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index)
        const override
    {
        WarningDelegate::paint(painter, option, index);
        const QVariant value = index.data(ValueRole);
        if (index.column() < GradientTableModel::FirstTower || !value.isValid()) {
            return;
        }
        const ThemeColors theme = themeColors(option.palette);
        const double cosine = value.toDouble();
        const QColor color =
            cosine < 0.0 ? theme.alert : towerColor(index.data(ColorIndexRole).toInt(), theme);
        const QRectF cell = QRectF(option.rect).adjusted(kCosineSide, 0.0, -kCosineSide, -1.0);
        QRectF bar(cell.left(), cell.bottom() - kCosineHeight, cell.width(), kCosineHeight);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.grid);
        painter->drawRoundedRect(bar, kCosineHeight / 2.0, kCosineHeight / 2.0);
        bar.setWidth(bar.width() * std::abs(cosine));
        painter->setBrush(color);
        painter->drawRoundedRect(bar, kCosineHeight / 2.0, kCosineHeight / 2.0);
        painter->restore();
    }
};

} // namespace

GradientPanel::GradientPanel(LiveRun& run, QWidget* parent)
    : Panel(parent), m_run(run), m_summary(new NoteLabel(NoteLabel::Tone::Muted, this)),
      m_outlier(new NoteLabel(NoteLabel::Tone::Alert, this)),
      m_table(new QuietTable(
          QStringLiteral("gradients_table"), tr("Gradients of the towers, by layer"), this)),
      m_chart(new LinePlot(
          {tr("Cosine to the mean"),
           tr("How far each tower's gradient points where the mean of all does: the cosine between "
              "them,\n1 for the same direction."),
           {1.0, 2, {}},
           XAxis::Step,
           1.0},
          this))
{
    makeTable();
    m_summary->setObjectName(QStringLiteral("gradients_summary"));
    m_outlier->setObjectName(QStringLiteral("gradients_outlier"));
    m_summary->setToolTip(gradientHelp());
    columnIn(
        this, {8, 4, 8, 4}, 4,
        {m_outlier,
         m_summary,
         {rowOf({{m_table, kTableShare}, {m_chart, kChartShare}}), 1},
         space(0)});
    connect(&m_refresh, &RefreshTimer::due, this, &GradientPanel::showFigures);
    connect(&run, &LiveRun::begun, this, &GradientPanel::begin);
    connect(&run.feed(), &RunFeed::gradientsArrived, this, &GradientPanel::take);
    begin();
}

void GradientPanel::inSightChanged()
{
    if (isInSight()) {
        showFigures();
    }
}

/// What its columns leave is the chart's.
void GradientPanel::fitTable()
{
    m_table->setMaximumWidth(
        m_table->horizontalHeader()->length() + m_table->verticalScrollBar()->sizeHint().width()
        + 2 * m_table->frameWidth());
}

void GradientPanel::makeTable()
{
    m_table->setModel(&m_model);
    m_table->setItemDelegate(new CosineDelegate(m_table));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAlternatingRowColors(true);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    QHeaderView* const header = m_table->horizontalHeader();
    header->setResizeContentsPrecision(0); // a network may have hundreds of layers
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    connect(header, &QHeaderView::sectionResized, this, &GradientPanel::fitTable);
    connect(header, &QHeaderView::sectionCountChanged, this, &GradientPanel::fitTable);
}

void GradientPanel::begin()
{
    m_figures.clear();
    showFigures();
}

void GradientPanel::take(const std::vector<GradientRecord>& records)
{
    for (const GradientRecord& record : records) {
        m_figures.add(record);
    }
    if (isInSight()) {
        m_refresh.request();
    }
}

QString GradientPanel::summary() const
{
    if (m_run.folder().empty()) {
        return tr("Start a run: how far the gradients of its towers agree is shown here.");
    }
    if (m_figures.isEmpty()) {
        return m_run.isRecorded() ? tr("Nothing is recorded of the towers' gradients.")
                                  : unmeasuredText(m_run.config());
    }
    return tr("Step %1.").arg(countText(m_figures.step())) + QLatin1Char(' ')
           + noiseScaleText(m_figures.noiseScale(), m_figures.globalBatch());
}

void GradientPanel::showFigures()
{
    const auto outlier = m_figures.outlier();
    m_outlier->setNote(outlier ? outlierText(*outlier) : QString());
    m_summary->setNote(summary());
    m_model.setRows(m_figures.rows());
    const CosineHistory& history = m_figures.history();
    if (!history.points().empty()) {
        m_chart->setSpan(
            static_cast<double>(history.points().front().firstStep),
            static_cast<double>(history.points().back().lastStep));
    }
    m_chart->setCurves(cosineCurves(history), lowestCosineText(history));
    m_chart->setVisible(m_model.columnCount() > GradientTableModel::FirstTower);
}

} // namespace lockstep::ui
