// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"

#include <cstdint>
#include <string>

namespace lockstep {

/// Which examples the towers of a step get. All but Distinct are faults that are made on purpose:
/// they show what a wrong split looks like, and that the instruments see it.
enum class ShardKind {
    Distinct, ///< each tower its own examples
    Same,     ///< every tower the examples of tower 0
    Skewed,   ///< one tower only examples of one class
    Poisoned, ///< one tower's labels are random
};

/// "distinct", "same", "skewed", "poisoned".
std::string toString(ShardKind kind);
/// Error(BadInput) names those that there are.
ShardKind shardKindByName(const std::string& name);

/// How a global batch is shared out: tower i gets rows [i*B, (i+1)*B).
struct ShardSettings
{
    ShardKind kind = ShardKind::Distinct;
    int towers = 1;
    int tower = 0;                 ///< the one that is skewed or poisoned
    std::int32_t exampleClass = 0; ///< of the skewed tower's examples

    bool operator==(const ShardSettings&) const = default;
    /// Throws Error(BadInput) that names the setting if it does not fit the batch or the data set.
    void validate(const Dataset& dataset, std::int64_t globalBatch) const;
};

} // namespace lockstep
