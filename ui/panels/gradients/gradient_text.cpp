// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/gradients/gradient_text.h"

#include "engine/config.h"
#include "plots/axes/number_text.h"

#include <QCoreApplication>

#include <cmath>

namespace lockstep::ui {
namespace {

/// Between these, global batch and noise scale are about the same: the estimate tells no more.
constexpr double kAbout = 2.0;
/// Of the global batch: less noise than this is rounding.
constexpr double kNoNoise = 1e-4;

struct GradientText
{
    Q_DECLARE_TR_FUNCTIONS(GradientPanel)
};

/// Two digits: the estimate is no better than that.
QString roughText(double value)
{
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
    const double rounded = std::round(value / unit) * unit;
    return value < 10.0 ? numberText(rounded, {1.0, 1, {}})
                        : countText(static_cast<qint64>(std::llround(rounded)));
}

QString meaningOf(double examples, qint64 globalBatch)
{
    const double ratio = examples / static_cast<double>(globalBatch);
    const QString batch = countText(globalBatch);
    if (ratio >= kAbout) {
        return GradientText::tr("The global batch of %1 could be about %2 times larger before more "
                                "examples a step gain clearly less.")
            .arg(batch, roughText(ratio));
    }
    if (ratio > 1.0 / kAbout) {
        return GradientText::tr("The global batch of %1 is about as large: more examples a step "
                                "gain less and less.")
            .arg(batch);
    }
    return GradientText::tr(
               "The global batch of %1 is already about %2 times larger: more examples "
               "a step save hardly any steps.")
        .arg(batch, roughText(1.0 / ratio));
}

} // namespace

QString noiseScaleText(const GradientNoiseScale& noiseScale, qint64 globalBatch)
{
    switch (noiseScale.state()) {
    case GradientNoiseScale::State::Unmeasured:
        return {};
    case GradientNoiseScale::State::OneTower:
        return GradientText::tr("With one tower there is no other gradient to compare.");
    case GradientNoiseScale::State::Drowned:
        return GradientText::tr("Gradient noise scale: not defined here, the towers' noise hides "
                                "what they agree on. It is much larger than the global batch of "
                                "%1.")
            .arg(countText(globalBatch));
    case GradientNoiseScale::State::Defined:
        break;
    }
    const double examples = *noiseScale.examples();
    if (examples < kNoNoise * static_cast<double>(globalBatch)) {
        return GradientText::tr("Gradient noise scale 0: all towers have the same gradient. Do "
                                "they get the same data?");
    }
    return GradientText::tr("Gradient noise scale about %1 examples.").arg(roughText(examples))
           + QLatin1Char(' ') + meaningOf(examples, globalBatch);
}

QString outlierText(const OutlyingTower& outlier)
{
    const ValueFormat format{1.0, 2, {}};
    return GradientText::tr("Tower %1's gradient disagrees with the others: cosine %2 with their "
                            "mean, where theirs are %3. Its data or its device may be bad.")
        .arg(outlier.tower)
        .arg(numberText(outlier.cosine, format), numberText(outlier.othersCosine, format));
}

QString unmeasuredText(const RunConfig& config)
{
    if (config.gradientsEverySteps == 0) {
        return GradientText::tr("This run does not measure its towers' gradients: \"Gradients "
                                "every\" is set to never.");
    }
    return GradientText::tr("The towers' gradients are measured every %L1 steps.")
        .arg(config.gradientsEverySteps);
}

QString gradientHelp()
{
    return GradientText::tr(
        "Gradient noise scale: S ÷ |G|², the noise of a single example's gradient against the "
        "square of the true gradient's norm (McCandlish et al., 2018), estimated from the towers' "
        "gradients and their mean over the last 40 or so measurements. A batch of that many "
        "examples needs about twice the least number of steps; a much smaller one needs steps in "
        "proportion, a much larger one saves hardly any. An estimate, and for this moment of the "
        "training: it usually grows as the loss falls.");
}

} // namespace lockstep::ui
