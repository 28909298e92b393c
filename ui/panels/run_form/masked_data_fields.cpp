// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/run_form/masked_data_fields.h"

#include "panels/shared/run_field_text.h"

#include <QLocale>

namespace lockstep::ui {
namespace {

using Choices = QList<ChoiceEditor::Choice>;

Choices dilationChoices()
{
    const QLocale locale;
    Choices choices{{QStringLiteral("0"), RunText::tr("as marked"), QString()}};
    for (const int width : {5, 9, 13, 17}) {
        choices.append(
            {QString::number(width), RunText::tr("%1 pixels wide").arg(locale.toString(width)),
             RunText::tr("Every marked pixel becomes a diamond")});
    }
    return choices;
}

Choices damagedChoices()
{
    return {
        {QStringLiteral("refuse"), RunText::tr("refuse"),
         RunText::tr("The first damaged image ends the run")},
        {QStringLiteral("skip"), RunText::tr("skip"),
         RunText::tr("Every image is decoded once at the start, damaged ones are left out")}};
}

Choices samplingChoices()
{
    return {
        {QStringLiteral("auto"), RunText::tr("automatic"),
         RunText::tr("Balanced where examples have masks")},
        {QStringLiteral("balanced"), RunText::tr("balanced"),
         RunText::tr("Half of each global batch is defective; a batch of one alternates")},
        {QStringLiteral("shuffled"), RunText::tr("shuffled"),
         RunText::tr("All examples in a new order each epoch")}};
}

Choices pixelRangeChoices()
{
    return {
        {QStringLiteral("auto"), RunText::tr("automatic"), RunText::tr("As the model wants it")},
        {QStringLiteral("unit"), RunText::tr("0 to 1"), QString()},
        {QStringLiteral("byte"), RunText::tr("0 to 255"), QString()}};
}

Choices maskLabelChoices()
{
    return {
        {QStringLiteral("auto"), RunText::tr("automatic"), RunText::tr("As the model wants it")},
        {QStringLiteral("pooled"), RunText::tr("pooled"),
         RunText::tr("Mean of 17 × 17 pixels for each cell")},
        {QStringLiteral("reduced"), RunText::tr("reduced"),
         RunText::tr("1 where anything of the mark is left at an eighth of the size")}};
}

} // namespace

Choices maskedDataChoices(const std::string& key)
{
    if (key == "dataset.damaged") {
        return damagedChoices();
    }
    if (key == "dataset.dilation") {
        return dilationChoices();
    }
    if (key == "dataset.sampling") {
        return samplingChoices();
    }
    if (key == "input.pixel_range") {
        return pixelRangeChoices();
    }
    if (key == "input.mask_label") {
        return maskLabelChoices();
    }
    return {};
}

} // namespace lockstep::ui
