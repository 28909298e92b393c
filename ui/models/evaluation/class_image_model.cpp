// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/evaluation/class_image_model.h"

#include <QLocale>

#include <cmath>
#include <limits>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kShareDecimals = 4;

} // namespace

QString className(const QStringList& names, int number)
{
    if (number < 0) {
        return ClassImageModel::tr("none");
    }
    return number < names.size() ? names[number] : QString::number(number);
}

void ClassImageModel::setRows(std::vector<ClassImageRow> rows, const QStringList& names)
{
    beginResetModel();
    m_rows = std::move(rows);
    m_names = names;
    endResetModel();
}

int ClassImageModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ClassImageModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

TableColumn ClassImageModel::column(int number) const
{
    switch (number) {
    case Image:
        return {tr("Image"), tr("Its number in the test set"), kFigureAlignment};
    case Label:
        return {tr("Label"), tr("What it is")};
    case Prediction:
        return {tr("Prediction"), tr("The class that the network calls most probable")};
    case Probability:
        return {
            tr("Probability"), tr("What the network gives the predicted class"), kFigureAlignment};
    case LabelProbability:
        return {
            tr("Of the label"), tr("The probability that the network gives the label"),
            kFigureAlignment};
    default:
        return {
            tr("Loss"),
            tr("-log of the probability of the label: the larger, the more wrong is the network"),
            kFigureAlignment};
    }
}

QVariant ClassImageModel::value(int row, int column) const
{
    const ClassImageRow& image = at(row);
    switch (column) {
    case Image:
        return image.example;
    case Label:
        return className(m_names, image.label);
    case Prediction:
        return className(m_names, image.predicted);
    default:
        break;
    }
    // What is not a number has no place in an order.
    const double number = figure(row, column);
    const double placeOfNone = column == Loss ? std::numeric_limits<double>::infinity() : -1.0;
    return std::isfinite(number) ? number : placeOfNone;
}

double ClassImageModel::figure(int row, int column) const
{
    const ClassImageRow& image = at(row);
    switch (column) {
    case Probability:
        return image.probability;
    case LabelProbability:
        return image.labelProbability;
    default:
        return image.loss;
    }
}

QString ClassImageModel::text(int row, int column) const
{
    switch (column) {
    case Image:
        return QLocale().toString(at(row).example);
    case Label:
    case Prediction:
        return value(row, column).toString();
    default:
        return QLocale().toString(figure(row, column), 'f', kShareDecimals);
    }
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
