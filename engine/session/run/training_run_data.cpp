// SPDX-License-Identifier: Apache-2.0
// What a TrainingRun does about data that are damaged, or away for a while.
#include "dataset/examples/data_check.h"
#include "dataset/examples/encoded_dataset.h"
#include "session/run/run_files.h"
#include "session/run/training_run.h"

#include <fmt/core.h>

#include <new>

namespace lockstep {

/// Those of photographs, which are read while it trains.
std::vector<const EncodedDataset*> TrainingRun::photographs() const
{
    std::vector<const EncodedDataset*> datasets;
    for (const auto& dataset : {m_training, m_test}) {
        if (dataset->encoded() != nullptr) {
            datasets.push_back(dataset->encoded());
        }
    }
    return datasets;
}

void TrainingRun::haveDataWaitedFor()
{
    for (const EncodedDataset* const dataset : photographs()) {
        dataset->patience().set(
            {m_config.encoded.patienceSeconds, [this] { return isStopWanted(); },
             [this](const std::string& text, bool isOver) {
                 alert({AlertKind::InputBound, isOver, m_stepsDone, -1, text});
             }});
    }
}

void TrainingRun::endPatience()
{
    for (const EncodedDataset* const dataset : photographs()) {
        dataset->patience().end();
    }
}

void TrainingRun::checkDataMeanwhile()
{
    std::vector<const EncodedDataset*> datasets = photographs();
    std::erase_if(datasets, [](const EncodedDataset* dataset) { return dataset->isChecked(); });
    if (!datasets.empty()) {
        m_dataCheck =
            std::make_unique<DataCheck>(std::move(datasets), [this](const std::string& text) {
                m_control.report("data check", [this, text] { note(NoteLevel::Info, text); });
            });
    }
}

/// Once for each image. Throws Error(Data) if there are too many.
void TrainingRun::tellDamage()
{
    for (const EncodedDataset* const dataset : photographs()) {
        const bool isTest = dataset == m_test->encoded();
        for (const std::string& reason : dataset->damage().takeNew()) {
            note(
                NoteLevel::Warning,
                isTest ? fmt::format("{}; it is left out of the scores", reason)
                       : fmt::format("{}; the next one is trained instead", reason));
        }
        dataset->damage().check();
    }
}

/// What the run would lose otherwise, where its state is not what went wrong.
void TrainingRun::saveLastStep(ErrorCode code)
{
    const bool isOfState =
        code == ErrorCode::Numeric || code == ErrorCode::Device || code == ErrorCode::Internal;
    if (isOfState || m_files->savedStep() < 0) {
        return;
    }
    try {
        while (m_ranks == nullptr && m_session.stepper().stepsAhead() > 0) {
            record(m_session.step(m_session.progress().step)); // what the devices have done already
        }
        if (m_session.stepper().stepsAhead() == 0
            && m_files->savedStep() != m_session.progress().step) {
            save("error");
        }
    } catch (const std::exception& error) { // the disk is what failed, or the memory
        m_observer.onEvent(Note{
            NoteLevel::Error, fmt::format("the last steps could not be saved: {}", error.what())});
    }
}

} // namespace lockstep
