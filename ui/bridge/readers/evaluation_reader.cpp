// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/readers/evaluation_reader.h"

#include "bridge/base/class_words.h"
#include "engine/config.h"
#include "engine/run.h"
#include "engine/storage.h"
#include "models/engine_text.h"

#include <algorithm>
#include <cstdlib>
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
        names.append(classWords(name));
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

/// Of two that are as close, the earlier one.
std::filesystem::path closestCheckpoint(const TrialRequest& request)
{
    const std::filesystem::path folder = RunFolder::checkpointsOf(request.run);
    const std::vector<CheckpointFile> files = listCheckpoints(folder);
    if (files.empty()) {
        fail(
            ErrorCode::BadInput,
            "{}: there is no checkpoint to take weights from; save one while the run goes on",
            folder.string());
    }
    const auto distance = [&](const CheckpointFile& file) {
        return std::llabs(file.step - request.step);
    };
    return std::ranges::min_element(files, {}, distance)->path;
}

/// Errors that are not those of a file would be the same for all.
SeriesAnswer seriesAnswer(TrialNetwork& network, const TrialRequest& request)
{
    SeriesAnswer answer{request.image, {}, {}};
    const auto* const file = std::get_if<std::filesystem::path>(&request.image);
    try {
        PredictedImage tried = network.ask(request).tried;
        if (file != nullptr) {
            answer.prediction = filePrediction(*file, tried);
        } else {
            answer.tried = std::move(tried);
        }
    } catch (const Error& error) {
        if (file == nullptr || !isOfTheFile(error)) {
            throw;
        }
        answer.prediction.file = *file;
        answer.prediction.problem = error.what();
    }
    return answer;
}

} // namespace

std::shared_ptr<const EvaluationPicture> EvaluationReader::read(const EvaluationRequest& request)
{
    auto picture = std::make_shared<EvaluationPicture>();
    try {
        const RunStoreReader reader(RunFolder::storeFileOf(request.folder));
        picture->evaluations = reader.evaluations();
        std::vector<std::pair<std::int64_t, double>> known;
        for (const EvaluationRecord& record : picture->evaluations) {
            known.emplace_back(record.step, record.loss);
        }
        if (request == m_request && known == m_known) {
            return nullptr;
        }
        m_known = std::move(known);
        m_request = request;
        picture->chosen = chosenOf(picture->evaluations, request);
        if (const auto& chosen = picture->chosen) {
            picture->images = reader.imageScores(chosen->step, chosen->weights);
            picture->classified = reader.classifiedImages(chosen->step, chosen->weights);
            picture->confusion = confusionCells(picture->classified);
            picture->classNames =
                classNames(reader.classNames(), request.folder, picture->confusion);
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

TrialAnswer TrialNetwork::ask(const TrialRequest& request)
{
    TrialAnswer answer;
    if (const auto& machine = request.machine) {
        const RemotePredicted there = machine->predict(
            {machine->runOf(request.run), request.step, request.weights, request.image});
        answer.tried = there.image;
        answer.step = there.step;
        return answer;
    }
    const std::filesystem::path checkpoint = closestCheckpoint(request);
    if (!m_predictor || checkpoint != m_file || request.weights != m_weights) {
        m_predictor.reset(); // its memory first
        m_predictor =
            std::make_unique<ImagePredictor>(PredictionRequest{checkpoint, {}, request.weights});
        m_file = checkpoint;
        m_weights = request.weights;
    }
    answer.step = m_predictor->step();
    const auto* const file = std::get_if<std::filesystem::path>(&request.image);
    answer.tried = file != nullptr ? m_predictor->imageFile(*file)
                                   : m_predictor->testImage(std::get<std::int64_t>(request.image));
    return answer;
}

std::shared_ptr<const TrialAnswer> TrialNetwork::answer(const TrialRequest& request)
{
    const auto answer = std::make_shared<TrialAnswer>();
    try {
        *answer = ask(request);
    } catch (const std::exception& error) {
        answer->problem = engineText(error.what());
    }
    return answer;
}

void TrialSeries::start(const TrialRequest& of, std::function<Images()> images)
{
    cancel();
    Job job{of, std::move(images)};
    if (m_work.isRunning()) {
        m_next = std::move(job);
    } else {
        begin(std::move(job));
    }
}

void TrialSeries::cancel()
{
    m_next.reset();
    m_isSilent = true;
    m_work.cancel();
}

void TrialSeries::begin(Job job)
{
    m_isSilent = false;
    m_work.start(
        [this, job = std::move(job)]() -> std::function<void()> {
            work(job);
            return [this] { end({}); };
        },
        [this](const QString& problem, bool /*isCancelled*/) { end(problem); });
}

/// On the thread.
void TrialSeries::work(const Job& job)
{
    const auto tell = [this](auto function) {
        m_work.report([this, function = std::move(function)] {
            if (!m_isSilent) {
                function();
            }
        });
    };
    const Images images = job.images();
    tell([this, count = std::ssize(images)] { emit counted(count); });
    TrialNetwork network;
    TrialRequest request = job.request;
    for (const auto& image : images) {
        if (m_work.isCancelled()) {
            return;
        }
        request.image = image;
        tell([this, answer = seriesAnswer(network, request)] { emit arrived(answer); });
    }
}

void TrialSeries::end(const QString& problem)
{
    if (auto next = std::exchange(m_next, std::nullopt)) {
        begin(std::move(*next));
    } else if (!m_isSilent) {
        emit ended(problem);
    }
}

} // namespace lockstep::ui
