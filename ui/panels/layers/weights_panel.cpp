// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/layers/weights_panel.h"

#include "panels/shared/row_painting.h"
#include "plots/axes/number_text.h"
#include "plots/cards/histogram_plot.h"
#include "plots/charts/line_plot.h"
#include "widgets/bars/quiet_table.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/value_editors.h"
#include "widgets/pictures/crisp_pictures.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QStackedWidget>
#include <QTabBar>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace lockstep::ui {
namespace {

enum Page { Histograms, Filters, Sparsity, Message };

constexpr int kTableWidth = 380;
constexpr int kDetailWidth = 720;

} // namespace

/// The filters of the first convolution as pictures, of the newest record or of any other.
class FilterPage : public QWidget
{
    Q_DECLARE_TR_FUNCTIONS(lockstep::ui::FilterPage)

public:
    explicit FilterPage(QWidget* parent)
        : QWidget(parent), m_view(new TileView(tr("Filters of the first convolution"), this)),
          m_slider(new QSlider(Qt::Horizontal, this)), m_caption(new QLabel(this))
    {
        m_view->setObjectName(QStringLiteral("filters_view"));
        m_view->setToolTip(
            tr("Each square is a filter of the first convolution, all to one scale:\ngrey is 0, "
               "the weight that is furthest from 0 is black or white"));
        const QString meaning = tr("Recorded step whose filters are shown");
        describeInput(*m_slider, QStringLiteral("filters_step"), meaning, meaning);
        new WheelGuard(m_slider);
        connect(m_slider, &QSlider::valueChanged, this, [this](int place) {
            m_isNewest = place == m_slider->maximum();
        });
        columnIn(this, {}, 4, {{m_view, 1}, rowOf({{m_slider, 1}, m_caption})});
    }

    /// With which a person chooses a step; wantedStep() is another one then.
    [[nodiscard]] QSlider* slider() const { return m_slider; }

    /// Whose filters are wanted; nothing: the newest.
    [[nodiscard]] std::optional<std::int64_t> wantedStep() const
    {
        return m_isNewest || m_steps.empty()
                   ? std::nullopt
                   : std::optional(m_steps[static_cast<std::size_t>(m_slider->value())]);
    }

    /// What is recorded; the slider stays at its step, or at the newest.
    void setSteps(const std::vector<std::int64_t>& steps)
    {
        const auto wanted = wantedStep();
        const QSignalBlocker blocker(m_slider);
        m_steps = steps;
        m_slider->setMaximum(std::max(0, static_cast<int>(steps.size()) - 1));
        const auto place = wanted ? std::ranges::find(steps, *wanted) : steps.end();
        m_isNewest = place == steps.end();
        m_slider->setValue(
            m_isNewest ? m_slider->maximum() : static_cast<int>(place - steps.begin()));
        m_slider->setEnabled(steps.size() > 1);
        showStep();
    }

    /// The filters as they were after a step.
    void setFilters(const std::vector<QImage>& filters, std::int64_t step)
    {
        m_shown = filters.empty() ? std::nullopt : std::optional(step);
        m_view->setTiles(
            filters, m_steps.empty() ? QString()
                                     : tr("The first convolution reads neither 1 nor 3 channels: "
                                          "its filters are not pictures."));
        showStep();
    }

private:
    void showStep()
    {
        const bool isNewest = m_shown && !m_steps.empty() && *m_shown == m_steps.back();
        m_caption->setText(
            !m_shown   ? QString()
            : isNewest ? tr("after step %1, the newest").arg(countText(*m_shown))
                       : tr("after step %1").arg(countText(*m_shown)));
    }

    std::vector<std::int64_t> m_steps;
    std::optional<std::int64_t> m_shown; ///< the step of the picture
    bool m_isNewest = true;
    TileView* m_view;
    QSlider* m_slider;
    QLabel* m_caption;
};

/// How weights, gradients and activations of a layer are distributed, side by side, with one
/// cross-hair.
class HistogramPage : public QWidget
{
    Q_DECLARE_TR_FUNCTIONS(lockstep::ui::HistogramPage)

public:
    explicit HistogramPage(QWidget* parent) : QWidget(parent)
    {
        const std::array titles{tr("Parameters"), tr("Gradients"), tr("Activations")};
        const std::array meanings{
            tr("Weights or biases of the layer, after the step"),
            tr("The mean gradient of all towers, without weight decay"),
            tr("What comes out of the layer for the first 16 rows of the last tower's batch,\n"
               "in float32, with the weights after the step")};
        for (std::size_t i = 0; i < m_plots.size(); ++i) {
            m_plots[i] = new HistogramPlot(titles[i], meanings[i], this);
            m_plots[i]->setObjectName(QStringLiteral("histogram_%1").arg(i));
        }
        rowIn(this, {}, 6, {{m_plots[0], 1}, {m_plots[1], 1}, {m_plots[2], 1}});
        for (HistogramPlot* const moved : m_plots) {
            for (HistogramPlot* const other : m_plots) {
                if (other != moved) {
                    connect(moved, &CardChart::crossHairMoved, other, &CardChart::setCrossHair);
                }
            }
        }
    }

    void setPicture(const LayerPicture& picture)
    {
        const std::array<const HistogramRow*, 3> rows{
            &picture.values, &picture.gradients, &picture.activations};
        const QString none = tr("Nothing of this kind is recorded for %1").arg(picture.layer);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            m_plots[i]->setEmptyText(none);
            m_plots[i]->setHistograms(*rows[i]);
        }
    }

private:
    std::array<HistogramPlot*, 3> m_plots{}; ///< values, gradients, activations
};

WeightsPanel::WeightsPanel(LiveRun& run, QWidget* parent)
    : Panel(parent), m_run(run),
      m_table(new QuietTable(
          QStringLiteral("layers_table"), tr("Layers of the run that is shown"), this))
{
    makeTable();
    columnIn(
        this, {}, kUsualSpacing,
        {sideBySide({{m_table, kTableWidth}, {makeDetail(), kDetailWidth}})});
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
    connect(m_filters->slider(), &QSlider::valueChanged, this, &WeightsPanel::ask);
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
