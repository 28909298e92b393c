// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/gradients/gradient_panel.h"

#include "panels/gradients/cosine_curves.h"
#include "panels/gradients/cosine_delegate.h"
#include "panels/gradients/gradient_text.h"
#include "plots/axes/number_text.h"
#include "plots/charts/line_plot.h"
#include "widgets/bars/quiet_table.h"
#include "widgets/forms/note_label.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollBar>
#include <QVBoxLayout>

namespace lockstep::ui {
namespace {

constexpr int kTableShare = 3;
constexpr int kChartShare = 2;

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
    auto* const figures = new QHBoxLayout;
    figures->addWidget(m_table, kTableShare);
    figures->addWidget(m_chart, kChartShare);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(4);
    layout->addWidget(m_outlier);
    layout->addWidget(m_summary);
    layout->addLayout(figures, 1);
    layout->addStretch(0);
    connect(&m_refresh, &RefreshTimer::due, this, &GradientPanel::showFigures);
    connect(&run, &LiveRun::begun, this, &GradientPanel::begin);
    connect(&run, &LiveRun::towersPlaced, this, &GradientPanel::showFigures);
    connect(&run.feed(), &RunFeed::gradientsArrived, this, &GradientPanel::take);
    begin();
}

QSize GradientPanel::sizeHint() const
{
    return {600, 230};
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
        const auto& seats = m_run.seats();
        return unmeasuredText(m_run.config(), seats.empty() ? QString() : seats.front().device);
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
