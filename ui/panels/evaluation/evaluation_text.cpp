// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/evaluation_text.h"

#include "panels/shared/run_choices.h"
#include "plots/axes/number_text.h"

#include <QStringList>

namespace lockstep::ui {
namespace {

const ValueFormat kScore{1.0, 4, {}};
const ValueFormat kShare{1.0, 2, {}};
const ValueFormat kPercent{100.0, 2, QStringLiteral(" %")};

QString peakText(const PredictedImage& tried)
{
    QString peak = EvaluationText::tr("mask peak %1").arg(numberText(tried.score.peak, kShare));
    if (!tried.hasLabel || !tried.score.isPositive) {
        return peak;
    }
    return tried.score.isPeakInside ? EvaluationText::tr("%1 inside the label").arg(peak)
                                    : EvaluationText::tr("%1 outside the label").arg(peak);
}

QString classText(const PredictedImage& tried)
{
    const ClassProbability likeliest = likeliestClasses(tried, 1).front();
    QString predicted = QString::fromStdString(likeliest.name);
    if (!tried.hasLabel) {
        return predicted;
    }
    const auto label = static_cast<std::size_t>(tried.classLabel);
    const QString name = label < tried.classNames.size()
                             ? QString::fromStdString(tried.classNames[label])
                             : QString::number(tried.classLabel);
    return likeliest.number == tried.classLabel
               ? EvaluationText::tr("%1, recognised").arg(name)
               : EvaluationText::tr("%1, taken for %2").arg(name, predicted);
}

QString weightsText(const TrialAnswer& answer, const TrialRequest& request)
{
    const QString kind = request.weights == WeightsKind::Raw
                             ? EvaluationText::tr("weights of step %1")
                             : EvaluationText::tr("moving averages of step %1");
    return kind.arg(countText(answer.step));
}

} // namespace

QString detectionCaption(const DetectionScores& scores)
{
    const std::int64_t wrong = scores.fullRecall.falsePositives;
    const QString full =
        wrong == 1
            ? EvaluationText::tr("full recall with 1 false positive")
            : EvaluationText::tr("full recall with %1 false positives").arg(countText(wrong));
    return EvaluationText::tr("AP %1 · best F1 %2 · %3")
        .arg(
            numberText(scores.averagePrecision, kScore), numberText(scores.best.f1(), kScore),
            full);
}

QString averagePrecisionText()
{
    return EvaluationText::tr("AP = Σ (Rₙ − Rₙ₋₁) · Pₙ, step-wise, without interpolation");
}

QString averagePrecisionHelp()
{
    return EvaluationText::tr(
        "Average precision: the sum over all thresholds of the gain in recall "
        "times the precision.\nImages of one score count together.");
}

QString countsText(const PrecisionRecallPoint& point, std::int64_t images)
{
    const std::int64_t trueNegatives =
        images - point.truePositives - point.falsePositives - point.falseNegatives;
    return EvaluationText::tr("TP %1 · FP %2 · FN %3 · TN %4 · precision %5, recall %6, F1 %7")
        .arg(
            countText(point.truePositives), countText(point.falsePositives),
            countText(point.falseNegatives), countText(trueNegatives))
        .arg(
            numberText(point.precision(), kShare), numberText(point.recall(), kShare),
            numberText(point.f1(), kShare));
}

QString classesCaption(const EvaluationPicture& picture)
{
    const EvaluationRecord& chosen = *picture.chosen;
    QStringList parts{EvaluationText::tr("top-1 %1").arg(numberText(chosen.accuracy, kPercent))};
    if (chosen.inTopFive) {
        parts.append(EvaluationText::tr("top-5 %1").arg(numberText(chosen.topFive(), kPercent)));
    }
    if (!picture.confusion.empty()) {
        const auto counts = classCounts(picture.confusion, picture.classNames.size());
        parts.append(
            EvaluationText::tr("macro recall %1").arg(numberText(macroRecall(counts), kPercent)));
    }
    parts.append(EvaluationText::tr("%1 images").arg(countText(chosen.examples)));
    return parts.join(QStringLiteral(" · "));
}

QString trialText(const TrialAnswer& answer, const TrialRequest& request)
{
    QStringList parts{QString::fromStdString(answer.tried.score.name)};
    if (answer.tried.classProbabilities.empty()) {
        parts.append(
            EvaluationText::tr("score %1").arg(numberText(answer.tried.score.score, kScore)));
        parts.append(peakText(answer.tried));
    } else {
        parts.append(classText(answer.tried));
    }
    parts.append(weightsText(answer, request));
    QString text = parts.join(QStringLiteral(" · "));
    if (answer.step != request.step && std::holds_alternative<std::int64_t>(request.image)) {
        text += QLatin1Char('\n')
                + EvaluationText::tr("The checkpoint of step %1 was deleted: this is from the "
                                     "closest one, and may differ.")
                      .arg(countText(request.step));
    }
    return text;
}

QString reasonForNoCurve(const RunConfig& config, const EvaluationPicture& picture)
{
    if (!picture.chosen) {
        return EvaluationText::tr("Not evaluated yet: evaluate now in the menu Run, or every so "
                                  "many steps (evaluate.every_steps).");
    }
    if (!hasMasks(config.dataset)) {
        return picture.classified.empty() ? EvaluationText::tr(
                   "The results for each image were not kept: a run keeps them for its newest "
                   "evaluation and for the most accurate one.")
                                          : QString();
    }
    return picture.images.empty()
               ? EvaluationText::tr("This evaluation has no scores of its images.")
               : EvaluationText::tr("None of the test images is defective: precision and recall "
                                    "need some that are");
}

} // namespace lockstep::ui
