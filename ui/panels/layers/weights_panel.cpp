// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/layers/weights_panel.h"

#include "panels/layers/layer_pages.h"
#include "panels/shared/layouts.h"
#include "panels/shared/row_painting.h"
#include "plots/charts/line_plot.h"
#include "widgets/bars/quiet_table.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/wheel_guard.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>

#include <utility>

namespace lockstep::ui {
namespace {

enum Page { Histograms, Filters, Sparsity, Message };

constexpr int kTableWidth = 380;
constexpr int kDetailWidth = 720;

} // namespace

WeightsPanel::WeightsPanel(LiveRun& run, QWidget* parent)
    : Panel(parent), m_run(run),
      m_table(new QuietTable(
          QStringLiteral("layers_table"), tr("Layers of the run that is shown"), this))
{
    makeTable();
    auto* const parts = new QSplitter(Qt::Horizontal, this);
    parts->addWidget(m_table);
    parts->addWidget(makeDetail());
    parts->setChildrenCollapsible(false);
    parts->setSizes({kTableWidth, kDetailWidth});
    parts->setStretchFactor(0, 1);
    parts->setStretchFactor(1, 2);
    columnIn(this, {}, kUsualSpacing, {parts});

    connect(&run, &LiveRun::begun, this, &WeightsPanel::begin);
    m_timer.setInterval(kLookMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &WeightsPanel::ask);
    begin();
}

void WeightsPanel::makeTable()
{
    m_table->setModel(&m_model);
    m_table->setItemDelegate(new WarningDelegate(m_table));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAlternatingRowColors(true);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->setMinimumWidth(160);
    connect(
        m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& current) {
            const auto row = static_cast<std::size_t>(current.row());
            if (current.isValid() && row < m_model.layers().size()
                && m_model.layers()[row].name != m_layer) {
                m_layer = m_model.layers()[row].name;
                ask();
            }
        });
}

QWidget* WeightsPanel::makeDetail()
{
    auto* const detail = new QWidget(this);
    QLayout* const tools = makeTools();
    m_pages = new QStackedWidget(detail);
    m_histograms = new HistogramPage(m_pages);
    m_pages->addWidget(m_histograms);
    m_filters = new FilterPage(m_pages);
    connect(m_filters, &FilterPage::wantedStepChanged, this, &WeightsPanel::ask);
    m_pages->addWidget(m_filters);
    m_sparsity = new LinePlot(
        {tr("Sparsity"),
         tr("Share of zeros among the activations of each layer that has parameters, for the first "
            "16 rows of the last tower's batch"),
         {100.0, 1, tr(" %")},
         XAxis::Step,
         1.0},
        m_pages);
    m_sparsity->setObjectName(QStringLiteral("sparsity_plot"));
    m_pages->addWidget(m_sparsity);
    m_message = new NoteLabel(NoteLabel::Tone::Muted, m_pages);
    m_message->setAlignment(Qt::AlignCenter);
    m_pages->addWidget(m_message);
    columnIn(detail, {6, 2, 6, 4}, 2, {tools, {m_pages, 1}});
    return detail;
}

QLayout* WeightsPanel::makeTools()
{
    m_tabs = new QTabBar(this);
    m_tabs->setObjectName(QStringLiteral("weights_tabs"));
    m_tabs->setAccessibleName(tr("What is shown of the layers"));
    m_tabs->setDrawBase(false);
    m_tabs->setDocumentMode(true);
    m_tabs->setExpanding(false);
    for (const QString& title : {tr("Histograms"), tr("Filters"), tr("Sparsity")}) {
        m_tabs->addTab(title);
    }
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int page) {
        m_kind->setVisible(page == Histograms);
        if (m_pages->currentIndex() != Message) {
            m_pages->setCurrentIndex(page);
        }
    });
    m_kind = new QComboBox(this);
    m_kind->setObjectName(QStringLiteral("weights_kind"));
    m_kind->setAccessibleName(tr("Parameters whose histograms are shown"));
    m_kind->setToolTip(tr("Which parameters of the layer the histograms are of"));
    m_kind->addItems({tr("Weights"), tr("Biases")});
    new WheelGuard(m_kind);
    connect(m_kind, &QComboBox::activated, this, &WeightsPanel::ask);
    m_records = new QLabel(this);
    m_records->setForegroundRole(QPalette::PlaceholderText);
    return rowOf({m_tabs, m_kind, space(), m_records});
}

void WeightsPanel::begin()
{
    m_model.setLayers({});
    m_layer.clear();
    m_filters->setSteps({});
    m_records->clear();
    showMessage(reasonForNothing());
    ask();
}

QString WeightsPanel::reasonForNothing() const
{
    if (m_run.folder().empty()) {
        return tr("Start or open a run: what its layers hold is recorded while it trains.");
    }
    const std::int64_t every = m_run.config().eventsEverySteps;
    if (every == 0) {
        return tr("This run records nothing of its layers. To have it, set “Events every” in "
                  "More options (events.every_steps) to 100 steps, say, before you start.");
    }
    return tr("Nothing is recorded yet: step 0 is the first, then every %1 steps.")
        .arg(countText(every));
}

void WeightsPanel::inSightChanged()
{
    isInSight() ? m_timer.start() : m_timer.stop();
    ask();
}

void WeightsPanel::ask()
{
    if (!isInSight() || m_run.folder().empty()) {
        return;
    }
    m_history.request(
        {m_run.folder(), m_run.config().model, m_run.config().towerShape().batchPerTower,
         m_layer.toStdString(), m_kind->currentIndex() == 1, m_filters->wantedStep(),
         m_run.machine()});
}

void WeightsPanel::take(
    const LayerRequest& request, const std::shared_ptr<const LayerPicture>& picture)
{
    if (request.folder != m_run.folder()) {
        return; // of the run before
    }
    showLayers(*picture);
    if (picture->steps.empty()) {
        m_records->clear();
        return showMessage(picture->problem.isEmpty() ? reasonForNothing() : picture->problem);
    }
    const auto records = static_cast<qint64>(picture->steps.size());
    m_records->setText(records == 1 ? tr("1 record") : tr("%1 records").arg(countText(records)));
    m_records->setToolTip(tr("Of the run's event files, the newest of step %1")
                              .arg(countText(picture->steps.back())));
    m_filters->setSteps(picture->steps);
    m_filters->setFilters(picture->filters, picture->filterStep);
    m_histograms->setPicture(*picture);
    showSparsity(*picture);
    if (picture->problem.isEmpty()) {
        m_pages->setCurrentIndex(m_tabs->currentIndex());
    } else {
        showMessage(picture->problem);
    }
}

/// Once a run: its layers don't change.
void WeightsPanel::showLayers(const LayerPicture& picture)
{
    if (m_model.layers().size() != picture.layers.size()) {
        m_model.setLayers(picture.layers);
    }
    if (m_layer.isEmpty()) {
        m_layer = picture.layer;
    }
    const auto& layers = m_model.layers();
    for (std::size_t row = 0; row < layers.size(); ++row) {
        const auto number = static_cast<int>(row);
        if (layers[row].name == m_layer && m_table->currentIndex().row() != number) {
            m_table->setCurrentIndex(m_model.index(number, 0));
        }
    }
}

void WeightsPanel::showSparsity(const LayerPicture& picture)
{
    std::vector<LineCurve> curves;
    QStringList captions;
    for (const SparsityCurve& sparsity : picture.sparsity) {
        LineCurve curve{sparsity.layer, static_cast<int>(curves.size())};
        for (const auto& [step, share] : sparsity.shares) {
            curve.points.emplace_back(static_cast<double>(step), share);
        }
        if (sparsity.layer == picture.layer) {
            captions.append(tr("%1 %2").arg(
                sparsity.layer, numberText(sparsity.shares.back().second, {100.0, 1, tr(" %")})));
        }
        curves.push_back(std::move(curve));
    }
    m_sparsity->setSpan(
        static_cast<double>(picture.steps.front()), static_cast<double>(picture.steps.back()));
    m_sparsity->setCurves(std::move(curves), captions.join(QStringLiteral(" · ")));
}

void WeightsPanel::showMessage(const QString& text)
{
    m_message->setNote(text);
    m_pages->setCurrentIndex(Message);
}

} // namespace lockstep::ui
