// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/masks/mask_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <string>

namespace lockstep::ui {
namespace {

constexpr int kLossDigits = 4;

struct MaskText
{
    Q_DECLARE_TR_FUNCTIONS(MasksPanel)
};

QString probabilityText(double share)
{
    return QLocale().toString(share, 'f', 2);
}

QString lossText(double loss)
{
    return QLocale().toString(loss, 'g', kLossDigits);
}

} // namespace

MaskPeak peakOf(const ImageMasks& image)
{
    const auto peak = std::ranges::max_element(image.probabilities);
    if (peak == image.probabilities.end()) {
        return {};
    }
    const auto cell = static_cast<std::size_t>(peak - image.probabilities.begin());
    return {*peak, image.mask[cell] > 0.0F};
}

QString maskTitle(const ImageMasks& image)
{
    return image.name == std::to_string(image.example)
               ? MaskText::tr("example %L1").arg(image.example)
               : QString::fromStdString(image.name);
}

QString classText(const ImageMasks& image)
{
    const QString name = image.label == 0 ? MaskText::tr("clean") : MaskText::tr("defective");
    return image.score ? MaskText::tr("%1, score %2", "a class; the decision's probability")
                             .arg(name, probabilityText(*image.score))
                       : name;
}

QString peakText(const ImageMasks& image)
{
    const MaskPeak peak = peakOf(image);
    const QString value = probabilityText(static_cast<double>(peak.probability));
    if (std::ranges::none_of(image.mask, [](float mark) { return mark > 0.0F; })) {
        return MaskText::tr("peak %1, nothing is marked").arg(value);
    }
    return peak.isInLabel ? MaskText::tr("peak %1, in the label").arg(value)
                          : MaskText::tr("peak %1, outside the label").arg(value);
}

QString towerLossText(const TowerMasks& tower)
{
    QStringList parts;
    for (const NamedLoss& part : tower.objectives) {
        parts.append(
            QString::fromStdString(part.objective) + QLatin1Char(' ') + lossText(part.loss));
    }
    return MaskText::tr("Loss %1: %2", "a tower's; of each objective")
        .arg(lossText(tower.loss), parts.join(QStringLiteral(", ")));
}

QString noMasksText(
    bool hasMasks, SessionController::State state, const QString& device, bool isLive)
{
    using State = SessionController::State;
    if (!hasMasks) {
        return MaskText::tr("The network of this run predicts no masks; segdecnet does.");
    }
    if (!device.isEmpty() && device != QStringLiteral("cpu")) {
        return MaskText::tr("Masks of towers on a GPU are not shown while they train.");
    }
    switch (state) {
    case State::Following:
        return MaskText::tr("Another process trains this run: masks are shown only of a run that "
                            "this window trains.");
    case State::Preparing:
    case State::Running:
    case State::Pausing:
    case State::Paused:
        return isLive ? MaskText::tr("The masks of the next step are shown here.")
                      : MaskText::tr("Tick \"Live\" to see the masks of the next steps.");
    default:
        return MaskText::tr(
            "No process is training this run now: its masks are shown while it is trained.");
    }
}

} // namespace lockstep::ui
