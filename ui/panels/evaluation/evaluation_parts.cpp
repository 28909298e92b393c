// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/evaluation_parts.h"

#include "bridge/base/class_words.h"
#include "bridge/preview/preview_batch.h"
#include "panels/evaluation/confusion_panel.h"
#include "panels/evaluation/detection_chart.h"
#include "panels/evaluation/example_table.h"
#include "plots/axes/number_text.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/value_editors.h"
#include "widgets/pictures/crisp_pictures.h"
#include "widgets/pictures/mask_view.h"

#include <QComboBox>
#include <QStackedWidget>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr PixelValues kUnit{0.0F, 1.0F}; // of what was tried

class ClassPage : public EvaluationPage
{
public:
    explicit ClassPage(QWidget* parent)
        : EvaluationPage(parent), m_table(new ClassTable(this)),
          m_confusion(new ConfusionPanel(this))
    {
        rowIn(this, {}, kUsualSpacing, {sideBySide({{m_table, 430}, {m_confusion, 400}})});
        connect(m_table, &ClassTable::chosen, this, &ClassPage::exampleWanted);
        connect(
            &m_confusion->mistakes(), &MistakesView::exampleWanted, this, [this](qint64 example) {
                m_table->deselect();
                emit exampleWanted(example);
            });
        connect(
            &m_confusion->mistakes(), &MistakesView::imagesWanted, this, &ClassPage::imagesWanted);
        connect(m_table, &ClassTable::filterChanged, this, [this] {
            m_confusion->setFilter(m_table->filter());
        });
        connect(
            m_confusion, &ConfusionPanel::filterWanted, this, [this](const ClassFilter& filter) {
                m_table->setFilter(filter);
                m_confusion->setFilter(filter);
            });
    }

    void clear() override
    {
        m_table->clear();
        m_confusion->clear();
    }

    void setPicture(const EvaluationPicture& picture, const QString& text) override
    {
        std::vector<ClassImageRow> rows;
        for (const ClassifiedImage& image : picture.classified) {
            rows.push_back(
                {image.example, image.label, image.predicted,
                 static_cast<double>(image.probability), image.labelProbability(),
                 static_cast<double>(image.loss)});
        }
        m_table->setRows(std::move(rows), picture.classNames);
        m_confusion->setPicture(picture, text);
        m_confusion->setFilter(m_table->filter());
    }

    void deselect() override { m_table->deselect(); }
    void showMistakes() override { m_confusion->showMistakes(); }
    void setImage(qint64 example, const PredictedImage& tried) override
    {
        m_confusion->mistakes().setImage(
            example, inputPicture(tried.input, tried.inputShape, kUnit));
    }
    [[nodiscard]] QWidget& filters() override { return m_table->filters(); }

private:
    ClassTable* m_table;
    ConfusionPanel* m_confusion;
};

class DetectionPage : public EvaluationPage
{
public:
    explicit DetectionPage(QWidget* parent)
        : EvaluationPage(parent), m_table(new ImageTable(this)), m_chart(new DetectionChart(this))
    {
        rowIn(this, {}, kUsualSpacing, {sideBySide({{m_table, 430}, {m_chart, 350}})});
        connect(m_chart, &DetectionChart::thresholdChanged, m_table, &ImageTable::setThreshold);
        connect(m_table, &ImageTable::chosen, this, &DetectionPage::exampleWanted);
    }

    void setPicture(const EvaluationPicture& picture, const QString& text) override
    {
        std::vector<ImageScoreRow> rows;
        for (const ImageScore& image : picture.images) {
            rows.push_back(
                {image.example, QString::fromStdString(image.name), image.isPositive, image.score,
                 image.loss, image.peak, image.isPeakInside});
        }
        m_table->setRows(std::move(rows));
        m_chart->setPicture(picture, text);
    }

    void deselect() override { m_table->deselect(); }
    [[nodiscard]] QWidget& filters() override { return m_table->filters(); }

private:
    ImageTable* m_table;
    DetectionChart* m_chart;
};

MaskPicture maskPicture(const PredictedImage& tried)
{
    return {
        inputPicture(tried.input, tried.inputShape, kUnit), tried.label, tried.probabilities,
        static_cast<int>(tried.maskShape.height), static_cast<int>(tried.maskShape.width)};
}

QString peakText(const PredictedImage& tried)
{
    QString peak = TrialView::tr("mask peak %1").arg(numberText(tried.score.peak, {1.0, 2, {}}));
    if (!tried.hasLabel || !tried.score.isPositive) {
        return peak;
    }
    return tried.score.isPeakInside ? TrialView::tr("%1 inside the label").arg(peak)
                                    : TrialView::tr("%1 outside the label").arg(peak);
}

QString classText(const PredictedImage& tried)
{
    const ClassProbability likeliest = likeliestClasses(tried, 1).front();
    QString predicted = classWords(likeliest.name);
    if (!tried.hasLabel) {
        return predicted;
    }
    const auto label = static_cast<std::size_t>(tried.classLabel);
    const QString name = label < tried.classNames.size() ? classWords(tried.classNames[label])
                                                         : QString::number(tried.classLabel);
    return likeliest.number == tried.classLabel
               ? TrialView::tr("%1, recognised").arg(name)
               : TrialView::tr("%1, taken for %2").arg(name, predicted);
}

QString weightsText(const TrialAnswer& answer, const TrialRequest& request)
{
    const QString kind = request.weights == WeightsKind::Raw
                             ? TrialView::tr("weights of step %1")
                             : TrialView::tr("moving averages of step %1");
    return kind.arg(countText(answer.step));
}

/// What was found in an image, or what it was taken for, and by which weights.
QString trialText(const TrialAnswer& answer, const TrialRequest& request)
{
    QStringList parts{QString::fromStdString(answer.tried.score.name)};
    if (answer.tried.classProbabilities.empty()) {
        parts.append(
            TrialView::tr("score %1").arg(numberText(answer.tried.score.score, {1.0, 4, {}})));
        parts.append(peakText(answer.tried));
    } else {
        parts.append(classText(answer.tried));
    }
    parts.append(weightsText(answer, request));
    QString text = parts.join(QStringLiteral(" · "));
    if (answer.step != request.step && std::holds_alternative<std::int64_t>(request.image)) {
        text += QLatin1Char('\n')
                + TrialView::tr("The checkpoint of step %1 was deleted: this is from the "
                                "closest one, and may differ.")
                      .arg(countText(request.step));
    }
    return text;
}

} // namespace

std::array<EvaluationPage*, 2> makeEvaluationPages(QWidget* parent)
{
    return {new DetectionPage(parent), new ClassPage(parent)};
}

EvaluationChoices::EvaluationChoices(QWidget* parent)
    : QWidget(parent), m_step(new QComboBox(this)), m_weights(new QComboBox(this))
{
    const QString meaning = tr("Evaluation that is shown");
    describeInput(*m_step, QStringLiteral("evaluation_step"), meaning, meaning);
    m_step->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    describeInput(
        *m_weights, QStringLiteral("evaluation_weights"), tr("Weights that were evaluated"),
        tr("The moving averages of the weights, or the weights as training updates them"));
    m_weights->addItems({tr("Moving averages"), tr("Weights")});
    rowIn(this, {}, kUsualSpacing, {m_step, m_weights});
    for (QComboBox* const box : {m_step, m_weights}) {
        new WheelGuard(box);
        connect(box, &QComboBox::activated, this, &EvaluationChoices::changed);
    }
    reset();
}

void EvaluationChoices::reset()
{
    m_step->clear();
    setEvaluations({});
}

/// The steps that were evaluated, the latest first; above them whichever is the newest.
void EvaluationChoices::setEvaluations(const std::vector<EvaluationRecord>& evaluations)
{
    const QVariant chosen = m_step->currentData();
    std::set<std::int64_t, std::greater<>> steps;
    for (const EvaluationRecord& record : evaluations) {
        steps.insert(record.step);
    }
    m_step->clear();
    m_step->addItem(
        steps.empty() ? tr("Newest") : tr("Newest: step %1").arg(countText(*steps.begin())));
    for (const std::int64_t step : steps) {
        m_step->addItem(tr("Step %1").arg(countText(step)), static_cast<qlonglong>(step));
    }
    m_step->setCurrentIndex(chosen.isValid() ? std::max(0, m_step->findData(chosen)) : 0);
}

std::optional<std::int64_t> EvaluationChoices::step() const
{
    const QVariant chosen = m_step->currentData();
    return chosen.isValid() ? std::optional<std::int64_t>(chosen.toLongLong()) : std::nullopt;
}

WeightsKind EvaluationChoices::weights() const
{
    return m_weights->currentIndex() == 1 ? WeightsKind::Raw : WeightsKind::Average;
}

TrialView::TrialView(QWidget* parent)
    : QWidget(parent), m_answers(new QStackedWidget(this)), m_view(new MaskView(this)),
      m_classes(new ClassAnswer(this)), m_text(new NoteLabel(NoteLabel::Tone::Plain, this)),
      m_problem(new NoteLabel(NoteLabel::Tone::Alert, this))
{
    m_answers->addWidget(m_view);
    m_answers->addWidget(m_classes);
    m_classes->setObjectName(QStringLiteral("evaluation_classes"));
    m_view->setObjectName(QStringLiteral("evaluation_mask"));
    m_text->setObjectName(QStringLiteral("evaluation_trial"));
    m_problem->setObjectName(QStringLiteral("evaluation_problem"));
    columnIn(this, {}, 4, {{m_answers, 1}, m_text, m_problem});
}

void TrialView::clear(const QString& text)
{
    m_view->setPicture({});
    m_classes->setAnswer({}, {});
    m_text->setNote(text);
    m_problem->setNote({});
}

void TrialView::setBusy()
{
    m_text->setNote(tr("Asking the network…"));
    m_problem->setNote({});
}

void TrialView::setAnswer(const TrialAnswer& answer, const TrialRequest& request)
{
    if (!answer.problem.isEmpty()) {
        clear({});
        m_problem->setNote(answer.problem);
        return;
    }
    m_problem->setNote({});
    if (answer.tried.classProbabilities.empty()) {
        showMask(answer.tried);
    } else {
        showClasses(answer.tried);
    }
    m_text->setNote(trialText(answer, request));
}

void TrialView::showMask(const PredictedImage& tried)
{
    using Layer = MaskView::Layer;
    m_view->setLayers(
        tried.hasLabel ? std::vector{Layer::Input, Layer::Label, Layer::Prediction, Layer::Overlay}
                       : std::vector{Layer::Input, Layer::Prediction, Layer::Overlay});
    m_view->setPicture(maskPicture(tried));
    m_answers->setCurrentWidget(m_view);
}

void TrialView::showClasses(const PredictedImage& tried)
{
    std::vector<ClassBar> bars;
    for (const ClassProbability& of : likeliestClasses(tried, kTopFive)) {
        bars.push_back(
            {classWords(of.name), of.probability, tried.hasLabel && of.number == tried.classLabel});
    }
    m_classes->setAnswer(inputPicture(tried.input, tried.inputShape, kUnit), std::move(bars));
    m_answers->setCurrentWidget(m_classes);
}

} // namespace lockstep::ui
