// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep {

/// What a split holds, for the checklist before a training. Labels are read one by one; of more
/// than 200,000 evenly spread ones stand for all.
class SplitCheck
{
public:
    /// Throws Error(Data) where an example can't be trained with: its label is not below `classes`,
    /// or its size is not what it says.
    SplitCheck(const Dataset& dataset, std::int64_t classes);

    /// Classes without an example, of those from `first` on that have a name.
    [[nodiscard]] std::int64_t missingClasses(std::ptrdiff_t first) const;

private:
    void take(std::int64_t index);

    const Dataset& m_dataset;
    std::vector<bool> m_seen; ///< by class
};

} // namespace lockstep
