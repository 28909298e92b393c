// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/readers/image_trials.h"
#include "models/engine_text.h"

#include "engine/storage.h"

#include <algorithm>
#include <cstdlib>
#include <exception>

namespace lockstep::ui {
namespace {

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

} // namespace

ImageTrials::ImageTrials(QObject* parent)
    : QObject(parent),
      m_answering(
          *this,
          [this](const TrialRequest& request) {
              return std::make_shared<const TrialAnswer>(answer(request));
          },
          [this](const auto& request, const auto& answer) { emit arrived(request, answer); })
{
}

void ImageTrials::close()
{
    m_answering.forgetWaiting();
    m_answering.run([this] { m_trial.reset(); });
}

TrialAnswer ImageTrials::answer(const TrialRequest& request)
{
    TrialAnswer answer;
    try {
        open(request);
        answer.step = m_trial->step();
        const auto* const file = std::get_if<std::filesystem::path>(&request.image);
        answer.tried = file != nullptr ? m_trial->imageFile(*file)
                                       : m_trial->testImage(std::get<std::int64_t>(request.image));
    } catch (const std::exception& error) {
        answer.problem = engineText(error.what());
    }
    return answer;
}

void ImageTrials::open(const TrialRequest& request)
{
    const std::filesystem::path file = closestCheckpoint(request);
    if (m_trial && file == m_file && request.weights == m_weights) {
        return;
    }
    m_trial.reset(); // its memory first
    m_trial = std::make_unique<ImagePredictor>(PredictionRequest{file, {}, request.weights});
    m_file = file;
    m_weights = request.weights;
}

} // namespace lockstep::ui
