// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/readers/trial_series.h"

#include "engine/base.h"

#include <utility>

namespace lockstep::ui {
namespace {

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

TrialSeries::TrialSeries(QObject* parent) : QObject(parent) {}

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
