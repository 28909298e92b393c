// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/accelerator_run.h"

namespace lockstep::test {

/// A data set in which one example has a label that is no class: its loss is not a number.
class SpoiltDataset : public FakeDataset
{
public:
    using FakeDataset::FakeDataset;
    [[nodiscard]] ExampleView example(std::int64_t index) const override
    {
        ExampleView view = FakeDataset::example(index);
        if (index == spoilt) {
            view.label = 99;
        }
        return view;
    }

    std::int64_t spoilt = -1;
};

/// Where an example comes up first: step and tower of a run.
struct Place
{
    std::int64_t step = 0;
    int tower = 0;
};

inline Place placeOf(std::int64_t example, const AcceleratorCase& settings, std::int64_t examples)
{
    const Sampler sampler(examples, ExampleOrder::Shuffled, 11);
    const std::int64_t batch = settings.towers * settings.batchPerTower;
    std::vector<Visit> visits(static_cast<std::size_t>(examples));
    sampler.visit(0, visits);
    for (std::int64_t row = 0; row < examples; ++row) {
        if (visits[static_cast<std::size_t>(row)].example == example) {
            return {row / batch, static_cast<int>(row % batch / settings.batchPerTower)};
        }
    }
    return {};
}

} // namespace lockstep::test
