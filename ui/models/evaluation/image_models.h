// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table_model.h"

#include <QStringList>

namespace lockstep::ui {

/// What a network that classifies said of an image of the test set.
struct ClassImageRow
{
    qint64 example = 0; ///< number in the test set
    int label = 0;
    int predicted = -1; ///< -1: none, its logits are not finite
    double probability = 0.0;
    double labelProbability = 0.0;
    double loss = 0.0;
};

/// Which images are listed.
struct ClassFilter
{
    std::optional<int> label;     ///< none: all
    std::optional<int> predicted; ///< likewise
    bool isWrongOnly = false;

    [[nodiscard]] bool isListed(const ClassImageRow& image) const;
    bool operator==(const ClassFilter&) const = default;
};
using ClassFilterModel = FilterModel<ClassImageRow, ClassFilter>;

/// Name of a class; its number where it has none.
QString className(const QStringList& names, int number);

/// Rows in which numbers stand for classes.
template<class Row>
class NamedClassModel : public RowModel<Row>
{
public:
    using RowModel<Row>::RowModel;

    /// `names` of the classes, label by label.
    void setRows(std::vector<Row> rows, const QStringList& names)
    {
        m_names = names;
        RowModel<Row>::setRows(std::move(rows));
    }
    [[nodiscard]] const QStringList& names() const noexcept { return m_names; }

private:
    QStringList m_names;
};

/// The images of an evaluation. Those that were taken for another class have WarningRole. By their
/// values, a loss that is not finite is larger than any, and such a probability less than any.
class ClassImageModel : public NamedClassModel<ClassImageRow>
{
    Q_OBJECT

public:
    enum Column { Image, Label, Prediction, Probability, LabelProbability, Loss };

    ClassImageModel();
};

/// Two classes of which images of one were taken for the other.
struct ConfusedPair
{
    int label = 0;
    int predicted = 0;
    qint64 images = 0; ///< that were
    qint64 of = 0;     ///< images of the label
};

/// The pairs of classes that a network confuses, in the order in which they are given. FilterRole.
class ConfusedPairModel : public NamedClassModel<ConfusedPair>
{
    Q_OBJECT

public:
    enum Column { Label, Prediction, Images, Share };

    ConfusedPairModel();
};

/// How well a network tells a class from the others.
struct ClassFigures
{
    int label = 0;
    qint64 images = 0;    ///< of this class
    qint64 predicted = 0; ///< that were taken for it
    // Not numbers where there are none of these.
    double recall = 0.0;
    double precision = 0.0;
    double f1 = 0.0;
};

/// The classes of an evaluation. FilterRole; the shares have BarRole.
class ClassFiguresModel : public NamedClassModel<ClassFigures>
{
    Q_OBJECT

public:
    enum Column { Class, Images, Taken, Recall, Precision, F1 };

    ClassFiguresModel();

protected:
    [[nodiscard]] QVariant other(int row, int column, int role) const override;
};

/// What a network says of an image file.
struct FilePredictionRow
{
    qint64 number = 0; ///< ExampleRole
    QString name;
    QString path = {};
    // Of a network that classifies.
    QString prediction = {};
    QString others = {}; ///< the next most probable classes
    /// Of the prediction; of a network that detects the score.
    double probability = 0.0;
    double peak = 0.0;    ///< of a network that detects
    QString problem = {}; ///< why nothing is said; else empty
};

/// Image files and what a network says of them. Those with a problem have WarningRole.
class FilePredictionModel : public RowModel<FilePredictionRow>
{
    Q_OBJECT

public:
    enum Column { File, Prediction, Probability, Others, Peak, Problem };

    FilePredictionModel();

    /// What the figure is called.
    void setDetecting(bool isDetecting);
};

/// What a network that detects said of an image of the test set.
struct ImageScoreRow
{
    qint64 example = 0; ///< number in the test set
    QString name;
    bool isPositive = false; ///< its label
    double score = 0.0;      ///< probability that it is positive
    double loss = 0.0;
    double peak = 0.0; ///< where the predicted mask is surest
    bool isPeakInside = false;
};

/// How an image is called at a threshold, and what it is.
enum class Verdict { TruePositive, FalsePositive, FalseNegative, TrueNegative };

/// The images of an evaluation, and which of them are called wrong at a threshold: those have
/// WarningRole.
class ImageScoreModel : public RowModel<ImageScoreRow>
{
    Q_OBJECT

public:
    enum Column { Image, Label, Score, Loss, Called, Peak, Inside, ColumnCount };

    ImageScoreModel();

    void setThreshold(double threshold);
    /// Positive is what has a score of at least the threshold.
    [[nodiscard]] Verdict verdict(const ImageScoreRow& row) const;

private:
    double m_threshold = 0.5;
};

/// The images of one verdict at the model's threshold, or all.
struct VerdictFilter
{
    const ImageScoreModel* model = nullptr;
    std::optional<Verdict> verdict;

    [[nodiscard]] bool isListed(const ImageScoreRow& row) const
    {
        return !verdict || model->verdict(row) == *verdict;
    }
};
using ImageFilterModel = FilterModel<ImageScoreRow, VerdictFilter>;

/// How many examples a data set has of a class.
struct ClassBalanceRow
{
    QString name;
    qint64 train = 0;
    qint64 test = 0;
    bool isExpected = true; ///< to have examples: the background has none
    int label = 0;          ///< the model numbers them
};

/// The classes of a data set, in the order of their labels. A number of examples has BarRole: its
/// ratio to that of the largest class of the split; WarningRole where there are none but should be.
class ClassBalanceModel : public RowModel<ClassBalanceRow>
{
    Q_OBJECT

public:
    enum Column { Label, Name, Train, TrainShare, Test, TestShare, ColumnCount };

    ClassBalanceModel();

    void setRows(std::vector<ClassBalanceRow> rows);

protected:
    [[nodiscard]] QVariant other(int row, int column, int role) const override;

private:
    /// Of one split.
    struct Extent
    {
        qint64 most = 0;
        qint64 all = 0;
    };
    Extent m_train;
    Extent m_test;
};

} // namespace lockstep::ui
