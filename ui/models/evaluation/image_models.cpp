// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/evaluation/image_models.h"

#include <QLocale>

#include <array>
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

QString verdictText(Verdict verdict)
{
    const std::array texts{
        ImageScoreModel::tr("true positive"), ImageScoreModel::tr("false positive"),
        ImageScoreModel::tr("false negative"), ImageScoreModel::tr("true negative")};
    return texts[static_cast<std::size_t>(verdict)];
}

bool isWrong(Verdict verdict)
{
    return verdict == Verdict::FalsePositive || verdict == Verdict::FalseNegative;
}

/// A clean image has no label that it could lie in.
QString peakText(const ImageScoreRow& row)
{
    return !row.isPositive    ? QString()
           : row.isPeakInside ? ImageScoreModel::tr("inside")
                              : ImageScoreModel::tr("outside");
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
    if (role == WarningRole) {
        return image.predicted != image.label;
    }
    return role == ExampleRole ? QVariant(image.example) : QVariant();
}

ConfusedPairModel::ConfusedPairModel(QObject* parent)
    : RowModel(
        parent, {{tr("Label"), tr("What the images are"),
                  [this](const ConfusedPair& pair) { return className(m_names, pair.label); }},
                 {tr("Taken for"), tr("What the network calls them"),
                  [this](const ConfusedPair& pair) { return className(m_names, pair.predicted); }},
                 {tr("Images"), tr("How many of them"), &ConfusedPair::images, wholeNumbers()},
                 {tr("Share"), tr("Of all images with this label"),
                  [](const ConfusedPair& pair) {
                      return static_cast<double>(pair.images) / static_cast<double>(pair.of);
                  },
                  percents(1)}})
{
}

void ConfusedPairModel::setPairs(std::vector<ConfusedPair> pairs, const QStringList& names)
{
    m_names = names;
    setRows(std::move(pairs));
}

Verdict verdictOf(const ImageScoreRow& row, double threshold)
{
    if (row.score >= threshold) {
        return row.isPositive ? Verdict::TruePositive : Verdict::FalsePositive;
    }
    return row.isPositive ? Verdict::FalseNegative : Verdict::TrueNegative;
}

ImageScoreModel::ImageScoreModel(QObject* parent)
    : RowModel(
        parent,
        {{tr("Image"), tr("Its name in the test set"), &ImageScoreRow::name},
         {tr("Label"), tr("What it is: defective where anything is marked in it"),
          &ImageScoreRow::isPositive,
          [](const ImageScoreRow& row) { return row.isPositive ? tr("defective") : tr("clean"); }},
         {tr("Score"), tr("The network's probability that it is defective"), &ImageScoreRow::score,
          decimals(4)},
         {tr("Loss"),
          tr("Of all objectives, each by its weight: the larger, the more wrong is the network"),
          &ImageScoreRow::loss, decimals(4)},
         {tr("At the threshold"), tr("Whether the chosen threshold calls it right or wrong"),
          [this](const ImageScoreRow& row) { return static_cast<int>(verdict(row)); },
          [this](const ImageScoreRow& row) { return verdictText(verdict(row)); }},
         {tr("Mask peak"), tr("The largest probability of a cell of the predicted mask"),
          &ImageScoreRow::peak, decimals(2)},
         {tr("Peak lies"), tr("Whether the label marks the cell of the peak, too"),
          &ImageScoreRow::isPeakInside, peakText}})
{
}

void ImageScoreModel::setThreshold(double threshold)
{
    if (std::exchange(m_threshold, threshold) != threshold) {
        tellChanged(0, ColumnCount - 1);
    }
}

QVariant ImageScoreModel::other(int row, int /*column*/, int role) const
{
    if (role == WarningRole) {
        return isWrong(verdict(at(row)));
    }
    return role == ExampleRole ? QVariant(at(row).example) : QVariant();
}

} // namespace lockstep::ui
