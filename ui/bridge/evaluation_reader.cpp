// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/evaluation_reader.h"

#include "engine.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace lockstep::ui {
namespace {

std::optional<EvaluationRecord> chosenOf(
    const std::vector<EvaluationRecord>& evaluations, const EvaluationRequest& request)
{
    std::optional<EvaluationRecord> chosen;
    for (const EvaluationRecord& record : evaluations) {
        const bool isWanted =
            record.weights == request.weights && record.step == request.step.value_or(record.step);
        if (isWanted && (!chosen || record.step >= chosen->step)) {
            chosen = record;
        }
    }
    return chosen;
}

std::vector<std::pair<std::int64_t, double>> stepsAndLosses(
    const std::vector<EvaluationRecord>& evaluations)
{
    std::vector<std::pair<std::int64_t, double>> known;
    for (const EvaluationRecord& record : evaluations) {
        known.emplace_back(record.step, record.loss);
    }
    return known;
}

/// Those of the data set, and numbers where the network tells more classes apart and images were
/// taken for them.
QStringList classNames(
    const std::vector<std::string>& known, const std::vector<ConfusionCell>& confusion)
{
    QStringList names;
    for (const std::string& name : known) {
        names.append(QString::fromStdString(name));
    }
    std::int32_t last = -1;
    for (const ConfusionCell& cell : confusion) {
        last = std::max({last, cell.label, cell.predicted});
    }
    for (auto number = names.size(); number <= last; ++number) {
        names.append(QString::number(number));
    }
    return names;
}

void readClasses(const RunStoreReader& reader, EvaluationPicture& picture)
{
    const EvaluationRecord& chosen = *picture.chosen;
    picture.classified = reader.classifiedImages(chosen.step, chosen.weights);
    picture.confusion = confusionCells(picture.classified);
    picture.classNames = classNames(reader.classNames(), picture.confusion);
}

} // namespace

std::shared_ptr<const EvaluationPicture> EvaluationReader::read(const EvaluationRequest& request)
{
    auto picture = std::make_shared<EvaluationPicture>();
    try {
        const RunStoreReader reader(RunFolder::storeFileOf(request.folder));
        picture->evaluations = reader.evaluations();
        auto known = stepsAndLosses(picture->evaluations);
        if (request == m_request && known == m_known) {
            return nullptr;
        }
        m_known = std::move(known);
        m_request = request;
        picture->chosen = chosenOf(picture->evaluations, request);
        if (picture->chosen) {
            picture->images = reader.imageScores(picture->chosen->step, picture->chosen->weights);
            readClasses(reader, *picture);
        }
        if (std::ranges::any_of(picture->images, &ImageScore::isPositive)) {
            picture->curve = precisionRecallCurve(scoredExamples(picture->images));
            picture->detection = detectionScores(picture->images);
        }
    } catch (const std::exception& error) {
        m_request.reset(); // all is read anew next time
        picture->problem = QString::fromStdString(error.what());
    }
    return picture;
}

} // namespace lockstep::ui
