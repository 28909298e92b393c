// SPDX-License-Identifier: Apache-2.0
#include "session/config/best_checkpoint.h"

#include "base/error.h"

#include <array>
#include <limits>
#include <utility>

namespace lockstep {

double BestCheckpointRule::scoreOf(const EvaluationRecord& evaluation) const
{
    const double none = std::numeric_limits<double>::quiet_NaN();
    if (evaluation.weights != weights) {
        return none;
    }
    switch (figure) {
    case Figure::TopFive:
        return evaluation.topFive();
    case Figure::Loss:
        return -evaluation.loss;
    case Figure::AveragePrecision:
        return evaluation.detection ? evaluation.detection->averagePrecision : none;
    case Figure::Accuracy:
        break;
    }
    return evaluation.accuracy;
}

BestCheckpointRule bestCheckpointByName(const std::string& name)
{
    using enum BestCheckpointRule::Figure;
    constexpr std::array kFigures{
        std::pair{"accuracy", Accuracy}, std::pair{"top5", TopFive}, std::pair{"loss", Loss},
        std::pair{"average_precision", AveragePrecision}};
    for (const WeightsKind weights : {WeightsKind::Average, WeightsKind::Raw}) {
        const std::string prefix = weights == WeightsKind::Raw ? "raw_" : "";
        for (const auto& [figure, value] : kFigures) {
            if (name == prefix + figure) {
                return {weights, value};
            }
        }
    }
    fail(
        ErrorCode::BadInput,
        "checkpoint.best_by is '{}', but must be accuracy, top5, loss or average_precision, or one "
        "of them of the raw weights: raw_accuracy, raw_top5, raw_loss, raw_average_precision",
        name);
}

} // namespace lockstep
