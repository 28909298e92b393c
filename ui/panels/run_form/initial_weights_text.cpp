// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/run_form/initial_weights_text.h"

#include "engine/records.h"
#include "engine/run.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

namespace lockstep::ui {
namespace {

constexpr int kMostLines = 4; // of a form, which has little room

struct InitialText
{
    Q_DECLARE_TR_FUNCTIONS(InitialWeights)
};

/// "10 × 192".
QString shapeText(const std::vector<std::int64_t>& shape)
{
    QStringList sizes;
    for (const std::int64_t size : shape) {
        sizes << QString::number(size);
    }
    return sizes.join(QStringLiteral(" × "));
}

QString reasonText(const InitialTensor& tensor)
{
    switch (tensor.kind) {
    case InitialTensorKind::OtherShape:
        return InitialText::tr("%1 here, %2 there")
            .arg(shapeText(tensor.shape), shapeText(tensor.shapeThere));
    case InitialTensorKind::Missing:
        return InitialText::tr("not in the file");
    case InitialTensorKind::Fresh:
        return InitialText::tr("fresh layer");
    case InitialTensorKind::Taken:
        break;
    }
    return {};
}

} // namespace

QString initialWeightsNote(const InitialWeights& initial)
{
    const QLocale locale;
    const auto all = static_cast<qlonglong>(initial.tensors.size());
    const auto taken = static_cast<qlonglong>(initial.taken());
    QStringList lines{
        initial.weights == WeightsKind::Average
            ? InitialText::tr("Takes %1 of %2 tensors, moving averages")
                  .arg(locale.toString(taken), locale.toString(all))
            : InitialText::tr("Takes %1 of %2 tensors, raw weights")
                  .arg(locale.toString(taken), locale.toString(all))};
    for (const InitialTensor& tensor : initial.tensors) {
        if (!tensor.isTaken()) {
            lines << InitialText::tr("Fresh: %1 (%2)")
                         .arg(QString::fromStdString(tensor.name), reasonText(tensor));
        }
    }
    const auto more = lines.size() - 1 - kMostLines;
    if (more > 0) {
        lines = lines.mid(0, 1 + kMostLines);
        lines << InitialText::tr("and %1 more; the log lists them all").arg(locale.toString(more));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace lockstep::ui
