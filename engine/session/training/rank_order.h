// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lockstep {

/// What rank 0 has all others do, one after the other. Bytes.
struct RankOrder
{
    enum class Kind : std::int64_t {
        Step,          ///< the next one; `number` is the limit of TrainingSession::step(), `value`
                       ///< not 0 where masks are wanted: all ranks then make a step by itself
        State,         ///< take over the parameters of rank 0
        LearningRate,  ///< `value`
        Steps,         ///< `number` in all
        CompareClocks, ///< see Ranks
        Evaluate,      ///< its share of the test set; `number` is the WeightsKind
        End,           ///< the training is over
    };
    Kind kind = Kind::End;
    std::int64_t number = 0;
    double value = 0.0;
};

} // namespace lockstep
