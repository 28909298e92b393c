// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/evaluation/class_image_model.h"

#include <QLocale>

#include <cmath>
#include <limits>

namespace lockstep::ui {
namespace {

constexpr double kLargerThanAny = std::numeric_limits<double>::infinity();
constexpr double kLessThanAny = -1.0;

/// What is not a number has no place in an order, but is written as it is.
TableColumn<ClassImageRow> figureColumn(
    const QString& title, const QString& toolTip, double ClassImageRow::*figure, double placeOfNone)
{
    return {
        title, toolTip,
        [=](const ClassImageRow& image) {
            return std::isfinite(image.*figure) ? image.*figure : placeOfNone;
        },
        decimals(4),
        [=](const ClassImageRow& image) { return QLocale().toString(image.*figure, 'f', 4); }};
}

} // namespace

bool ClassFilter::isListed(const ClassImageRow& image) const
{
    return image.label == label.value_or(image.label)
           && image.predicted == predicted.value_or(image.predicted)
           && (!isWrongOnly || image.predicted != image.label);
}

QString className(const QStringList& names, int number)
{
    if (number < 0) {
        return ClassImageModel::tr("none");
    }
    return number < names.size() ? names[number] : QString::number(number);
}

ClassImageModel::ClassImageModel(QObject* parent)
    : RowModel(
        parent,
        {{tr("Image"), tr("Its number in the test set"), &ClassImageRow::example, wholeNumbers()},
         {tr("Label"), tr("What it is"),
          [this](const ClassImageRow& image) { return className(m_names, image.label); }},
         {tr("Prediction"), tr("The class that the network calls most probable"),
          [this](const ClassImageRow& image) { return className(m_names, image.predicted); }},
         figureColumn(
             tr("Probability"), tr("What the network gives the predicted class"),
             &ClassImageRow::probability, kLessThanAny),
         figureColumn(
             tr("Of the label"), tr("The probability that the network gives the label"),
             &ClassImageRow::labelProbability, kLessThanAny),
         figureColumn(
             tr("Loss"),
             tr("-log of the probability of the label: the larger, the more wrong is the network"),
             &ClassImageRow::loss, kLargerThanAny)})
{
}

void ClassImageModel::setRows(std::vector<ClassImageRow> rows, const QStringList& names)
{
    m_names = names;
    RowModel::setRows(std::move(rows));
}

QVariant ClassImageModel::other(int row, int /*column*/, int role) const
{
    const ClassImageRow& image = at(row);
    switch (role) {
    case WarningRole:
        return image.predicted != image.label;
    case ExampleRole:
        return image.example;
    default:
        return {};
    }
}

} // namespace lockstep::ui
