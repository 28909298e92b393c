// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/evaluation/image_models.h"

#include <QLocale>

#include <algorithm>
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

/// A clean image has no label that it could lie in.
QString peakText(const ImageScoreRow& row)
{
    return !row.isPositive    ? QString()
           : row.isPeakInside ? ImageScoreModel::tr("inside")
                              : ImageScoreModel::tr("outside");
}

double ratio(qint64 part, qint64 whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

CellFormat counts()
{
    return figureFormat([](const QVariant& value) {
        const qint64 examples = value.toLongLong();
        return examples == 0 ? ClassBalanceModel::tr("none") : QLocale().toString(examples);
    });
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

ClassImageModel::ClassImageModel()
    : NamedClassModel(
        {{tr("Image"), tr("Its number in the test set"), &ClassImageRow::example, wholeNumbers()},
         {tr("Label"), tr("What it is"),
          [this](const ClassImageRow& image) { return className(names(), image.label); }},
         {tr("Prediction"), tr("The class that the network calls most probable"),
          [this](const ClassImageRow& image) { return className(names(), image.predicted); }},
         figureColumn(
             tr("Probability"), tr("What the network gives the predicted class"),
             &ClassImageRow::probability, kLessThanAny),
         figureColumn(
             tr("Of the label"), tr("The probability that the network gives the label"),
             &ClassImageRow::labelProbability, kLessThanAny),
         figureColumn(
             tr("Loss"),
             tr("-log of the probability of the label: the larger, the more wrong is the network"),
             &ClassImageRow::loss, kLargerThanAny)},
        {{WarningRole, [](const ClassImageRow& image) { return image.predicted != image.label; }},
         {ExampleRole, &ClassImageRow::example}})
{
}

ConfusedPairModel::ConfusedPairModel()
    : NamedClassModel(
        {{tr("Label"), tr("What the images are"),
          [this](const ConfusedPair& pair) { return className(names(), pair.label); }},
         {tr("Taken for"), tr("What the network calls them"),
          [this](const ConfusedPair& pair) { return className(names(), pair.predicted); }},
         {tr("Images"), tr("How many of them"), &ConfusedPair::images, wholeNumbers()},
         {tr("Share"), tr("Of all images with this label"),
          [](const ConfusedPair& pair) {
              return static_cast<double>(pair.images) / static_cast<double>(pair.of);
          },
          percents(1)}},
        {{FilterRole, [](const ConfusedPair& pair) {
              return QVariant::fromValue(ClassFilter{pair.label, pair.predicted, false});
          }}})
{
}

ClassFiguresModel::ClassFiguresModel()
    : NamedClassModel(
        {{tr("Class"), tr("What the images are"),
          [this](const ClassFigures& of) { return className(names(), of.label); }},
         {tr("Images"), tr("Test images of this class"), &ClassFigures::images, wholeNumbers()},
         {tr("Predicted"), tr("Test images that the network takes for this class"),
          &ClassFigures::predicted, wholeNumbers()},
         {tr("Recall"), tr("Share of the images of this class that are taken for it"),
          [](const ClassFigures& of) { return finite(of.recall); }, percents(1)},
         {tr("Precision"), tr("Share of the images taken for this class that are of it"),
          [](const ClassFigures& of) { return finite(of.precision); }, percents(1)},
         {tr("F1"), tr("Harmonic mean of precision and recall: 2 · P · R ÷ (P + R)"),
          [](const ClassFigures& of) { return finite(of.f1); }, percents(1)}},
        {{FilterRole,
          [](const ClassFigures& of) {
              return QVariant::fromValue(ClassFilter{of.label, std::nullopt, false});
          }}},
        QStringLiteral("–"))
{
}

QVariant ClassFiguresModel::other(int row, int column, int role) const
{
    if (role == Qt::ToolTipRole && column == Class) {
        return text(row, column); // the column may be too narrow for it
    }
    return role == BarRole && column >= Recall ? value(row, column)
                                               : NamedClassModel::other(row, column, role);
}

FilePredictionModel::FilePredictionModel()
    : RowModel(
        {{tr("File"), tr("Its name; the whole path is shown on hover"), &FilePredictionRow::name},
         {tr("Prediction"), tr("The class that the network calls most probable"),
          &FilePredictionRow::prediction},
         {tr("Probability"), {}, figureOf(&FilePredictionRow::probability), decimals(4)},
         {tr("Then"), tr("The next most probable classes"), &FilePredictionRow::others},
         {tr("Mask peak"), tr("The largest probability of a cell of the predicted mask"),
          figureOf(&FilePredictionRow::peak), decimals(2)},
         {tr("Problem"), tr("Why nothing is said of it"), &FilePredictionRow::problem}},
        {{WarningRole, [](const FilePredictionRow& of) { return !of.problem.isEmpty(); }},
         {ExampleRole, &FilePredictionRow::number},
         {Qt::ToolTipRole,
          [](const FilePredictionRow& of) { return of.problem.isEmpty() ? of.path : of.problem; }}})
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

ImageScoreModel::ImageScoreModel()
    : RowModel(
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
          &ImageScoreRow::isPeakInside, peakText}},
        {{WarningRole,
          [this](const ImageScoreRow& row) {
              return (row.score >= m_threshold) != row.isPositive;
          }},
         {ExampleRole, &ImageScoreRow::example}})
{
}

Verdict ImageScoreModel::verdict(const ImageScoreRow& row) const
{
    if (row.score >= m_threshold) {
        return row.isPositive ? Verdict::TruePositive : Verdict::FalsePositive;
    }
    return row.isPositive ? Verdict::FalseNegative : Verdict::TrueNegative;
}

void ImageScoreModel::setThreshold(double threshold)
{
    if (std::exchange(m_threshold, threshold) != threshold) {
        tellChanged(0, ColumnCount - 1);
    }
}

ClassBalanceModel::ClassBalanceModel()
    : RowModel(
        {{tr("Label"), tr("Number of the class"), &ClassBalanceRow::label, wholeNumbers()},
         {tr("Class"), tr("Name of the class"), &ClassBalanceRow::name},
         {tr("Train"), tr("Examples of the training set; the bar is full for the largest class"),
          &ClassBalanceRow::train, counts()},
         {tr("Share"), tr("Share of the training set"),
          [this](const ClassBalanceRow& row) { return ratio(row.train, m_train.all); },
          percents(1)},
         {tr("Test"), tr("Examples of the test set; the bar is full for the largest class"),
          &ClassBalanceRow::test, counts()},
         {tr("Share"), tr("Share of the test set"),
          [this](const ClassBalanceRow& row) { return ratio(row.test, m_test.all); }, percents(1)}})
{
}

void ClassBalanceModel::setRows(std::vector<ClassBalanceRow> rows)
{
    m_train = m_test = {};
    int label = 0;
    for (ClassBalanceRow& row : rows) {
        row.label = label++;
        m_train = {std::max(m_train.most, row.train), m_train.all + row.train};
        m_test = {std::max(m_test.most, row.test), m_test.all + row.test};
    }
    RowModel::setRows(std::move(rows));
}

QVariant ClassBalanceModel::other(int row, int column, int role) const
{
    if (role == Qt::ToolTipRole && column == Name) {
        return at(row).name; // the column may be too narrow for it
    }
    if (column != Train && column != Test) {
        return {};
    }
    const qint64 count = column == Train ? at(row).train : at(row).test;
    if (role == BarRole) {
        return ratio(count, (column == Train ? m_train : m_test).most);
    }
    return role == WarningRole ? QVariant(count == 0 && at(row).isExpected) : QVariant();
}

} // namespace lockstep::ui
