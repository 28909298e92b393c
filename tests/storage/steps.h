// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/step_record.h"
#include "storage/store/run_store.h"
#include "storage/store/run_store_record.h"

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace lockstep::test {

inline constexpr std::int64_t kExampleBatch = 128;
inline constexpr std::int64_t kExampleTrainingSet = 50'000;

/// The branch that exampleStep() belongs to.
inline RunBranch exampleBranch(int towers, std::int64_t fromStep = 0)
{
    return {fromStep, std::nullopt, towers, kExampleBatch, kExampleTrainingSet};
}

/// A step whose every number is its own: doubles with all their bits in use, times in whole
/// nanoseconds. What follows from other numbers is computed from them.
inline StepRecord exampleStep(std::int64_t step, int towers, std::uint64_t seed = 1)
{
    std::mt19937_64 random(seed * 1'000'003 + static_cast<std::uint64_t>(step));
    std::uniform_real_distribution<double> number(0.0, 5.0);
    std::uniform_int_distribution<std::int64_t> time(1, 2'000'000'000);
    const auto seconds = [&] { return static_cast<double>(time(random)) / 1e9; };
    StepRecord record;
    record.step = step;
    record.examples = (step + 1) * kExampleBatch * towers;
    record.epoch = static_cast<double>(record.examples) / kExampleTrainingSet;
    for (double* value :
         {&record.learningRate, &record.lossMean, &record.queueFilled, &record.weightDecayLoss}) {
        *value = number(random);
    }
    for (double* value :
         {&record.stepSeconds, &record.inputSeconds, &record.computeSeconds,
          &record.averagingSeconds, &record.updateSeconds}) {
        *value = seconds();
    }
    const std::int64_t late = time(random) / 100;
    record.wallSeconds = static_cast<double>((step + 1) * 20'000'000 + late) / 1e9; // 20 ms a step
    for (int tower = 0; tower < towers; ++tower) {
        record.towers.push_back(
            {number(random), step % 128, kExampleBatch, seconds(), seconds(), seconds(),
             seconds()});
    }
    record.lossLast = record.towers.back().loss;
    record.examplesPerSecond = static_cast<double>(kExampleBatch * towers) / record.stepSeconds;
    record.secondsPerBatch = record.stepSeconds / towers;
    return record;
}

/// Appends steps [first, end); the seed tells later which branch wrote them.
inline void writeSteps(
    RunStore& store, std::int64_t first, std::int64_t end, int towers, std::uint64_t seed = 1)
{
    for (std::int64_t step = first; step < end; ++step) {
        store.append(exampleStep(step, towers, seed));
    }
}

/// Such steps of a network with so many objectives.
inline StepRecord exampleStep(
    std::int64_t step, int towers, std::uint64_t seed, std::size_t objectives)
{
    StepRecord record = exampleStep(step, towers, seed);
    std::mt19937_64 random(seed * 7'000'003 + static_cast<std::uint64_t>(step));
    std::uniform_real_distribution<double> number(0.0, 5.0);
    for (TowerRecord& tower : record.towers) {
        for (std::size_t i = 0; i < objectives; ++i) {
            tower.objectives.add(number(random));
        }
    }
    return record;
}

inline bool sameStep(const StepRecord& a, const StepRecord& b)
{
    const auto numbers = [](const StepRecord& r) {
        std::vector<double> all{
            static_cast<double>(r.step),
            static_cast<double>(r.examples),
            r.epoch,
            r.learningRate,
            r.lossMean,
            r.lossLast,
            r.weightDecayLoss,
            r.stepSeconds,
            r.wallSeconds,
            r.inputSeconds,
            r.queueFilled,
            r.computeSeconds,
            r.averagingSeconds,
            r.updateSeconds,
            r.examplesPerSecond,
            r.secondsPerBatch};
        for (const auto& tower : r.towers) {
            all.insert(
                all.end(), {tower.loss, static_cast<double>(tower.correct),
                            static_cast<double>(tower.examples), tower.startSeconds,
                            tower.copySeconds, tower.forwardSeconds, tower.backwardSeconds});
            all.insert(all.end(), tower.objectives.begin(), tower.objectives.end());
        }
        return all;
    };
    return numbers(a) == numbers(b);
}

} // namespace lockstep::test
