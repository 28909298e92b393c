// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/lockstep.h"
#include "support/cifar10_files.h"
#include "support/temporary_folder.h"

#include <QtTest>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace lockstep::test {

/// Patterned pictures as a CIFAR-10 folder has them, brought by the test.
class Brought final : public api::Dataset
{
public:
    Brought(int first, int count) : m_first(first), m_count(count) {}

    [[nodiscard]] std::string name() const override { return "patterns"; }
    [[nodiscard]] api::ImageShape imageShape() const override { return shape; }
    [[nodiscard]] api::PixelOrder pixelOrder() const override { return api::PixelOrder::Planar; }
    [[nodiscard]] std::vector<std::string> classNames() const override
    {
        return {"airplane", "automobile", "bird",  "cat",  "deer",
                "dog",      "frog",       "horse", "ship", "truck"};
    }
    [[nodiscard]] std::int64_t size() const override { return m_count; }
    [[nodiscard]] int example(std::int64_t index, std::span<std::uint8_t> pixels) const override
    {
        onExample(index);
        const Cifar10Record record = patternedCifar10Record(m_first + static_cast<int>(index));
        std::copy_n(record.begin() + 1, std::min(record.size() - 1, pixels.size()), pixels.begin());
        return record.front() + labelOffset;
    }

    api::ImageShape shape{32, 32, 3};
    int labelOffset = 0;
    std::function<void(std::int64_t)> onExample = [](std::int64_t) {};

private:
    int m_first;
    int m_count;
};

/// Keeps what it is told; `afterStep` is called with each step.
class Kept final : public api::Observer
{
public:
    void onStep(const api::Step& step) override
    {
        steps.push_back(step);
        afterStep(step);
    }
    void onEvaluation(const api::Evaluation& evaluation) override
    {
        evaluations.push_back(evaluation);
    }
    void onCheckpoint(std::int64_t step, const std::filesystem::path& /*file*/) override
    {
        checkpoints.push_back(step);
    }
    void onNote(const api::Note& note) override { notes += note.text + "\n"; }

    /// Of every tower in every step.
    [[nodiscard]] std::vector<double> losses() const
    {
        std::vector<double> all;
        for (const api::Step& step : steps) {
            for (const api::Tower& tower : step.towers) {
                all.push_back(tower.loss);
            }
        }
        return all;
    }

    std::vector<api::Step> steps;
    std::vector<api::Evaluation> evaluations;
    std::vector<std::int64_t> checkpoints;
    std::string notes;
    std::function<void(const api::Step&)> afterStep = [](const api::Step&) {};
};

/// The training examples and the test examples of a CIFAR-10 folder of 8 records a file, and a
/// training on them in two towers: six small steps.
struct Scene
{
    TemporaryFolder folder;
    Brought training{0, 40};
    Brought unseen{40, 8};
    api::TrainingRequest request{
        .folder = folder / "run",
        .settings =
            {{"model.name", LOCKSTEP_SMALL_MODEL},
             {"towers", "2"},
             {"threads_per_tower", "1"},
             {"batch_per_tower", "4"},
             {"steps", "6"}},
        .training = &training,
        .test = &unseen};

    void set(const std::string& key, const std::string& value)
    {
        request.settings.emplace_back(key, value);
    }
};

/// Whether a call throws an api::Error of this kind with these words in it, in one line.
template<class Call, class... Words>
bool refuses(api::ErrorCode code, const Call& call, const Words&... words)
{
    try {
        call();
    } catch (const api::Error& error) {
        const std::string text = error.what();
        const bool isTold = error.code() == code && text.find('\n') == std::string::npos
                            && ((text.find(words) != std::string::npos) && ...);
        if (!isTold) {
            qWarning("%s", text.c_str());
        }
        return isTold;
    }
    qWarning("no error");
    return false;
}

} // namespace lockstep::test
