// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/step_record.h"

#include <cstddef>
#include <random>
#include <vector>

namespace lockstep::test {

/// A step whose every number is its own: doubles with all their bits in use.
inline StepRecord exampleStep(std::int64_t step, int towers, std::uint64_t seed = 1)
{
    std::mt19937_64 random(seed * 1'000'003 + static_cast<std::uint64_t>(step));
    std::uniform_real_distribution<double> number(0.0, 5.0);
    StepRecord record;
    record.step = step;
    record.examples = (step + 1) * 128 * towers;
    for (double* value :
         {&record.epoch, &record.learningRate, &record.lossMean, &record.lossLast,
          &record.stepSeconds, &record.wallSeconds, &record.inputSeconds, &record.queueFilled,
          &record.examplesPerSecond, &record.secondsPerBatch}) {
        *value = number(random);
    }
    for (int tower = 0; tower < towers; ++tower) {
        record.towers.push_back({number(random), number(random), step % 128, 128});
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
            r.stepSeconds,
            r.wallSeconds,
            r.inputSeconds,
            r.queueFilled,
            r.examplesPerSecond,
            r.secondsPerBatch};
        for (const auto& tower : r.towers) {
            all.insert(
                all.end(), {tower.loss, tower.busySeconds, static_cast<double>(tower.correct),
                            static_cast<double>(tower.examples)});
        }
        return all;
    };
    return numbers(a) == numbers(b);
}

} // namespace lockstep::test
