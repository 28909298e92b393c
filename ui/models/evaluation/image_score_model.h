// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table_model.h"

#include <vector>

namespace lockstep::ui {

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

/// Positive is what has a score of at least `threshold`.
Verdict verdictOf(const ImageScoreRow& row, double threshold);

/// The images of an evaluation, and which of them are called wrong at a threshold: those have
/// WarningRole. kVerdictRole is the Verdict as a number.
class ImageScoreModel : public TableModel
{
    Q_OBJECT

public:
    enum Column { Image, Label, Score, Loss, Called, Peak, Inside, ColumnCount };
    static constexpr int kVerdictRole = RecordRole + 1;

    using TableModel::TableModel;

    void setRows(std::vector<ImageScoreRow> rows);
    [[nodiscard]] const std::vector<ImageScoreRow>& rows() const noexcept { return m_rows; }
    void setThreshold(double threshold);
    [[nodiscard]] double threshold() const noexcept { return m_threshold; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;

protected:
    [[nodiscard]] TableColumn column(int number) const override;
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    [[nodiscard]] QVariant other(int row, int column, int role) const override;

private:
    [[nodiscard]] const ImageScoreRow& at(int row) const
    {
        return m_rows[static_cast<std::size_t>(row)];
    }

    std::vector<ImageScoreRow> m_rows;
    double m_threshold = 0.5;
};

} // namespace lockstep::ui
