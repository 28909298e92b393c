// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/readers/evaluation_reader.h"

#include <QCoreApplication>
#include <QString>

namespace lockstep {
struct DetectionScores;
struct PrecisionRecallPoint;
struct RunConfig;
} // namespace lockstep

namespace lockstep::ui {

/// Translations of what the evaluations say.
struct EvaluationText
{
    Q_DECLARE_TR_FUNCTIONS(EvaluationText)
};

/// "AP 0.9531 · best F1 0.9412 · full recall with 3 false positives".
QString detectionCaption(const DetectionScores& scores);
/// What AP is: in a line, and in words.
QString averagePrecisionText();
QString averagePrecisionHelp();
/// How many of so many images are called right and wrong at a point.
QString countsText(const PrecisionRecallPoint& point, std::int64_t images);
/// What was found in an image, or what it was taken for, and by which weights.
QString trialText(const TrialAnswer& answer, const TrialRequest& request);
/// Why the picture has no curve, or nothing of single images.
QString reasonForNoCurve(const RunConfig& config, const EvaluationPicture& picture);
/// "top-1 74.12 % · top-5 98.23 % · 10,000 images · macro recall 74.12 %".
QString classesCaption(const EvaluationPicture& picture);

} // namespace lockstep::ui
