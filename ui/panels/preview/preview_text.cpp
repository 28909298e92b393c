// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/preview/preview_text.h"

#include "plots/axes/number_text.h"

#include <QCoreApplication>
#include <QStringList>

namespace lockstep::ui {
namespace {

struct PreviewText
{
    Q_DECLARE_TR_FUNCTIONS(PreviewText)
};

QString joined(QStringList parts, const PreviewBatch& batch)
{
    if (batch.isStretched) {
        parts << PreviewText::tr("standardised: shown stretched");
    }
    return parts.join(QStringLiteral(" · "));
}

} // namespace

QString stretchText(const PreviewBatch& batch)
{
    return batch.isStretched ? PreviewText::tr(
               "Standardised values have no fixed black and white: each image is shown "
               "from its darkest to its brightest value.")
                             : QString();
}

QString stepText(const PreviewBatch& batch, std::int64_t step, std::uint64_t seed, bool isDone)
{
    const QString number = countText(step);
    const QString what = isDone ? PreviewText::tr("Step %1: what each tower got").arg(number)
                         : step == 0
                             ? PreviewText::tr("First step: what each tower will get")
                             : PreviewText::tr("Step %1: what each tower will get").arg(number);
    return joined({what, PreviewText::tr("seed %1").arg(seed)}, batch);
}

QString evaluationText(const PreviewBatch& batch)
{
    const auto first = static_cast<qint64>(batch.position);
    const qint64 last = first + std::ssize(batch.images) - 1;
    const QString which = PreviewText::tr("What evaluations see: examples %1 to %2 of %3")
                              .arg(countText(first), countText(last), countText(batch.examples));
    const QString how = batch.isWhole ? PreviewText::tr("the whole image, resized")
                                      : PreviewText::tr("the middle of each image, not distorted");
    return joined({which, how}, batch);
}

} // namespace lockstep::ui
