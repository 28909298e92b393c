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

/// Nothing of files with a problem.
TableColumn<FilePredictionRow>::Value figureOf(double FilePredictionRow::*figure)
{
    return [figure](const FilePredictionRow& of) {
        return of.problem.isEmpty() ? finite(of.*figure) : QVariant();
    };
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

ClassFiguresModel::ClassFiguresModel(QObject* parent)
    : RowModel(
        parent,
        {{tr("Class"), tr("What the images are"),
          [this](const ClassFigures& of) { return className(m_names, of.label); }},
         {tr("Images"), tr("Test images of this class"), &ClassFigures::images, wholeNumbers()},
         {tr("Predicted"), tr("Test images that the network takes for this class"),
          &ClassFigures::predicted, wholeNumbers()},
         {tr("Recall"), tr("Share of the images of this class that are taken for it"),
          [](const ClassFigures& of) { return finite(of.recall); }, percents(1)},
         {tr("Precision"), tr("Share of the images taken for this class that are of it"),
          [](const ClassFigures& of) { return finite(of.precision); }, percents(1)},
         {tr("F1"), tr("Harmonic mean of precision and recall: 2 · P · R ÷ (P + R)"),
          [](const ClassFigures& of) { return finite(of.f1); }, percents(1)}},
        QStringLiteral("–"))
{
}

void ClassFiguresModel::setFigures(std::vector<ClassFigures> figures, const QStringList& names)
{
    m_names = names;
    setRows(std::move(figures));
}

QVariant ClassFiguresModel::other(int row, int column, int role) const
{
    if (role == Qt::ToolTipRole && column == Class) {
        return text(row, column); // the column may be too narrow for it
    }
    return role == BarRole && column >= Recall ? value(row, column) : QVariant();
}

FilePredictionModel::FilePredictionModel(QObject* parent)
    : RowModel(
        parent,
        {{tr("File"), tr("Its name; the whole path is shown on hover"), &FilePredictionRow::name},
         {tr("Prediction"), tr("The class that the network calls most probable"),
          &FilePredictionRow::prediction},
         {tr("Probability"), {}, figureOf(&FilePredictionRow::probability), decimals(4)},
         {tr("Then"), tr("The next most probable classes"), &FilePredictionRow::others},
         {tr("Mask peak"), tr("The largest probability of a cell of the predicted mask"),
          figureOf(&FilePredictionRow::peak), decimals(2)},
         {tr("Problem"), tr("Why nothing is said of it"), &FilePredictionRow::problem}})
{
    setDetecting(false);
}

void FilePredictionModel::setDetecting(bool isDetecting)
{
    ColumnHead& head = m_columns[Probability];
    head.title = isDetecting ? tr("Score") : tr("Probability");
    head.toolTip = isDetecting ? tr("The network's probability that it is defective")
                               : tr("What the network gives the predicted class");
    emit headerDataChanged(Qt::Horizontal, Probability, Probability);
}

QVariant FilePredictionModel::other(int row, int /*column*/, int role) const
{
    const FilePredictionRow& of = at(row);
    switch (role) {
    case WarningRole:
        return !of.problem.isEmpty();
    case ExampleRole:
        return of.number;
    case Qt::ToolTipRole:
        return of.problem.isEmpty() ? of.path : of.problem;
    default:
        return {};
    }
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
