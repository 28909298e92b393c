// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/readers/evaluation_reader.h"
#include "models/engine_text.h"

#include "engine/config.h"
#include "engine/run.h"
#include "engine/storage.h"

#include <algorithm>
#include <exception>

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
    known.reserve(evaluations.size());
    for (const EvaluationRecord& record : evaluations) {
        known.emplace_back(record.step, record.loss);
    }
    return known;
}

/// Classes that the run's network tells apart; 0 where its model can't be opened any more.
std::int64_t outputsOf(const std::filesystem::path& folder)
{
    try {
        return makeNetwork(configOfRun(folder).model).classes;
    } catch (const Error&) {
        return 0;
    }
}

/// Those of the data set, and numbers where the network tells more classes apart.
QStringList classNames(
    const std::vector<std::string>& known, const std::filesystem::path& folder,
    const std::vector<ConfusionCell>& confusion)
{
    if (known.empty()) {
        return {}; // of a network that does not classify
    }
    QStringList names;
    for (const std::string& name : known) {
        names.append(QString::fromStdString(name));
    }
    std::int64_t classes = outputsOf(folder);
    for (const ConfusionCell& cell : confusion) {
        classes = std::max<std::int64_t>({classes, cell.label + 1, cell.predicted + 1});
    }
    for (std::int64_t number = names.size(); number < classes; ++number) {
        names.append(QString::number(number));
    }
    return names;
}

void readClasses(
    const RunStoreReader& reader, const std::filesystem::path& folder, EvaluationPicture& picture)
{
    const EvaluationRecord& chosen = *picture.chosen;
    picture.classified = reader.classifiedImages(chosen.step, chosen.weights);
    picture.confusion = confusionCells(picture.classified);
    picture.classNames = classNames(reader.classNames(), folder, picture.confusion);
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
            readClasses(reader, request.folder, *picture);
        }
        if (std::ranges::any_of(picture->images, &ImageScore::isPositive)) {
            picture->curve = precisionRecallCurve(scoredExamples(picture->images));
            picture->detection = detectionScores(picture->images);
        }
    } catch (const std::exception& error) {
        m_request.reset(); // all is read anew next time
        picture->problem = engineText(error.what());
    }
    return picture;
}

} // namespace lockstep::ui
