// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/gradients/gradient_panel.h"

#include "panels/shared/row_painting.h"
#include "plots/axes/number_text.h"
#include "plots/charts/line_plot.h"
#include "theme/tower_colors.h"
#include "widgets/bars/quiet_table.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"

#include <QHeaderView>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::ui {
namespace {

/// Between these, global batch and noise scale are about the same: the estimate tells no more.
constexpr double kAbout = 2.0;
/// Of the global batch: less noise than this is rounding.
constexpr double kNoNoise = 1e-4;

/// Two digits: the estimate is no better than that.
QString roughText(double value)
{
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
    const double rounded = std::round(value / unit) * unit;
    return value < 10.0 ? numberText(rounded, {1.0, 1, {}})
                        : countText(static_cast<qint64>(std::llround(rounded)));
}

QString meaningOf(double examples, qint64 globalBatch)
{
    const double ratio = examples / static_cast<double>(globalBatch);
    const QString batch = countText(globalBatch);
    if (ratio >= kAbout) {
        return GradientPanel::tr(
                   "The global batch of %1 could be about %2 times larger before more "
                   "examples a step gain clearly less.")
            .arg(batch, roughText(ratio));
    }
    if (ratio > 1.0 / kAbout) {
        return GradientPanel::tr("The global batch of %1 is about as large: more examples a step "
                                 "gain less and less.")
            .arg(batch);
    }
    return GradientPanel::tr(
               "The global batch of %1 is already about %2 times larger: more examples "
               "a step save hardly any steps.")
        .arg(batch, roughText(1.0 / ratio));
}

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
        curves.push_back({GradientPanel::tr("tower %1").arg(number), number});
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
               : GradientPanel::tr("lowest %1").arg(numberText(*lowest, {1.0, 2, {}}));
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
        const ThemeColors theme = themeColors(*option.widget);
        const double cosine = value.toDouble();
        const QColor color =
            cosine < 0.0 ? theme.alert : towerColor(index.data(ColorIndexRole).toInt(), theme);
        const QRectF cell = QRectF(option.rect).adjusted(kCosineSide, 0.0, -kCosineSide, -1.0);
        QRectF bar(cell.left(), cell.bottom() - kCosineHeight, cell.width(), kCosineHeight);
        fillRounded(*painter, bar, kCosineHeight / 2.0, theme.grid);
        bar.setWidth(bar.width() * std::abs(cosine));
        fillRounded(*painter, bar, kCosineHeight / 2.0, color);
    }
};

} // namespace

QString noiseScaleText(const GradientNoiseScale& noiseScale, qint64 globalBatch)
{
    switch (noiseScale.state()) {
    case GradientNoiseScale::State::Unmeasured:
        return {};
    case GradientNoiseScale::State::OneTower:
        return GradientPanel::tr("With one tower there is no other gradient to compare.");
    case GradientNoiseScale::State::Drowned:
        return GradientPanel::tr("Gradient noise scale: not defined here, the towers' noise hides "
                                 "what they agree on. It is much larger than the global batch of "
                                 "%1.")
            .arg(countText(globalBatch));
    case GradientNoiseScale::State::Defined:
        break;
    }
    const double examples = *noiseScale.examples();
    if (examples < kNoNoise * static_cast<double>(globalBatch)) {
        return GradientPanel::tr("Gradient noise scale 0: all towers have the same gradient. Do "
                                 "they get the same data?");
    }
    return GradientPanel::tr("Gradient noise scale about %1 examples.").arg(roughText(examples))
           + QLatin1Char(' ') + meaningOf(examples, globalBatch);
}

QString unmeasuredText(const RunConfig& config)
{
    if (config.gradientsEverySteps == 0) {
        return GradientPanel::tr("This run does not measure its towers' gradients: \"Gradients "
                                 "every\" is set to never.");
    }
    return GradientPanel::tr("The towers' gradients are measured every %L1 steps.")
        .arg(config.gradientsEverySteps);
}

GradientPanel::GradientPanel(LiveRun& run, QWidget* parent)
    : Panel(parent), m_run(run), m_summary(new NoteLabel(NoteLabel::Tone::Muted, this)),
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
    m_summary->setToolTip(GradientPanel::tr(
        "Gradient noise scale: S ÷ |G|², the noise of a single example's gradient against the "
        "square of the true gradient's norm (McCandlish et al., 2018), estimated from the towers' "
        "gradients and their mean over the last 40 or so measurements. A batch of that many "
        "examples needs about twice the least number of steps; a much smaller one needs steps in "
        "proportion, a much larger one saves hardly any. An estimate, and for this moment of the "
        "training: it usually grows as the loss falls."));
    columnIn(
        this, {8, 4, 8, 4}, 4,
        {m_summary, {rowOf({{m_table, kTableShare}, {m_chart, kChartShare}}), 1}, space(0)});
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
