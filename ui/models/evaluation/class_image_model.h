// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/evaluation/filter_model.h"

#include <QStringList>

#include <vector>

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

/// The images of an evaluation. Those that were taken for another class have WarningRole. By their
/// values, a loss that is not finite is larger than any, and such a probability less than any.
class ClassImageModel : public RowModel<ClassImageRow>
{
    Q_OBJECT

public:
    enum Column { Image, Label, Prediction, Probability, LabelProbability, Loss };

    explicit ClassImageModel(QObject* parent = nullptr);

    /// `names` of the classes, label by label.
    void setRows(std::vector<ClassImageRow> rows, const QStringList& names);
    [[nodiscard]] const QStringList& names() const noexcept { return m_names; }

protected:
    [[nodiscard]] QVariant other(int row, int column, int role) const override;

private:
    QStringList m_names;
};

} // namespace lockstep::ui
