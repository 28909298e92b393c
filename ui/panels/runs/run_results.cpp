// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/runs/run_results.h"

#include "bridge/runs/overlay_runs.h"
#include "bridge/runs/run_summaries.h"
#include "engine/storage.h"
#include "models/table_model.h"
#include "plots/axes/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace lockstep::ui {
namespace {

struct ResultText
{
    Q_DECLARE_TR_FUNCTIONS(RunResults)
};

/// Of one of the two.
struct Results
{
    RunRow row;
    std::shared_ptr<OverlaySeries> curves;
    bool isDecayKnown = true; ///< so that its loss is a cross-entropy, see crossEntropy()

    explicit Results(const RunStoreReader& store) : curves(overlaySeriesOf(store))
    {
        takeResults(row, store);
        isDecayKnown = lockstep::ui::isDecayKnown(store);
    }

    /// Trained, without pauses.
    [[nodiscard]] double seconds() const
    {
        const SeriesStore& losses = curves->losses();
        return losses.size() > 0 ? losses.timeline().momentAt(losses.size() - 1).wallSeconds : 0.0;
    }
    /// The newest accuracy after so many seconds.
    [[nodiscard]] std::optional<double> accuracyAfter(double seconds) const
    {
        const SeriesStore& tests = curves->tests();
        std::optional<double> found;
        for (std::int64_t i = 0; i < tests.size(); ++i) {
            if (tests.timeline().momentAt(i).wallSeconds <= seconds) {
                found = tests.series(OverlaySeries::kAccuracy).at(i);
            }
        }
        return found;
    }
};

ComparedResult compared(
    const QString& name, std::optional<double> first, std::optional<double> second,
    const CellFormat& format, bool isMoreBetter)
{
    const auto textOf = [&](std::optional<double> value) {
        return value ? format.text(*value) : QStringLiteral("–");
    };
    ComparedResult result{name, textOf(first), textOf(second)};
    if (first && second && result.first != result.second) {
        result.better = (*first > *second) == isMoreBetter ? 1 : 2;
    }
    return result;
}

} // namespace

std::vector<ComparedResult> compareResults(
    const std::filesystem::path& first, const std::filesystem::path& second)
{
    const Results one{RunStoreReader(RunFolder::storeFileOf(first))};
    const Results other{RunStoreReader(RunFolder::storeFileOf(second))};
    const double shorter = std::min(one.seconds(), other.seconds());
    const CellFormat accuracy = percents(1);
    const bool areCrossEntropies = one.isDecayKnown && other.isDecayKnown;
    ComparedResult lowest = compared(
        areCrossEntropies ? ResultText::tr("Lowest cross-entropy of a step")
                          : ResultText::tr("Lowest loss of a step"),
        one.row.lowestLoss, other.row.lowestLoss, decimals(3), false);
    if (!areCrossEntropies) { // with weight decay or without, who knows
        lowest.better = 0;
    }
    return {
        compared(
            ResultText::tr("Best test accuracy"), one.row.bestAccuracy, other.row.bestAccuracy,
            accuracy, true),
        compared(
            ResultText::tr("Test accuracy after %1 of training").arg(durationText(shorter)),
            one.accuracyAfter(shorter), other.accuracyAfter(shorter), accuracy, true),
        lowest,
        compared(
            ResultText::tr("Examples/s"), one.row.examplesPerSecond, other.row.examplesPerSecond,
            rates(), true),
        {ResultText::tr("Trained for"), durationText(one.seconds()), durationText(other.seconds())},
        {ResultText::tr("Steps done"), countText(one.row.stepsDone),
         countText(other.row.stepsDone)}};
}

} // namespace lockstep::ui
