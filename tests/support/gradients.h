// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/gradient_record.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::test {

/// The gradients of one parameter, one vector for each tower.
using TowerGradients = std::vector<std::vector<double>>;

inline double dot(const std::vector<double>& a, const std::vector<double>& b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

inline std::vector<double> meanOf(const TowerGradients& towers)
{
    std::vector<double> mean(towers.front().size());
    for (const auto& tower : towers) {
        for (std::size_t i = 0; i < mean.size(); ++i) {
            mean[i] += tower[i] / static_cast<double>(towers.size());
        }
    }
    return mean;
}

/// What is measured of these gradients; weights and update are the caller's.
inline ParameterGradientRecord measured(const std::string& name, const TowerGradients& towers)
{
    const std::vector<double> mean = meanOf(towers);
    ParameterGradientRecord record;
    record.name = name;
    record.gradientSquares = dot(mean, mean);
    for (const auto& tower : towers) {
        record.towers.push_back({dot(tower, tower), dot(tower, mean)});
    }
    return record;
}

/// A record whose every number is its own.
inline GradientRecord exampleGradients(std::int64_t step, int towers)
{
    GradientRecord record{step, 128, {}};
    double value = 0.1 + static_cast<double>(step);
    const auto next = [&value] { return value *= 1.0 + 1.0 / 3.0; };
    for (const char* name : {"conv1.weight", "conv1.bias", "softmax.weight"}) {
        ParameterGradientRecord parameter{name, next(), next(), next(), {}};
        for (int tower = 0; tower < towers; ++tower) {
            parameter.towers.push_back({next(), -next()});
        }
        record.parameters.push_back(parameter);
    }
    return record;
}

inline bool sameGradients(const GradientRecord& a, const GradientRecord& b)
{
    const auto numbers = [](const GradientRecord& record) {
        std::vector<double> all;
        for (const ParameterGradientRecord& parameter : record.parameters) {
            all.insert(
                all.end(),
                {parameter.gradientSquares, parameter.weightSquares, parameter.updateSquares});
            for (const TowerGradientRecord& tower : parameter.towers) {
                all.insert(all.end(), {tower.squares, tower.dotMean});
            }
        }
        return all;
    };
    const auto names = [](const GradientRecord& record) {
        std::vector<std::string> all;
        for (const ParameterGradientRecord& parameter : record.parameters) {
            all.push_back(parameter.name);
        }
        return all;
    };
    return a.step == b.step && a.batchPerTower == b.batchPerTower && names(a) == names(b)
           && numbers(a) == numbers(b);
}

} // namespace lockstep::test
