// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

#include <optional>
#include <vector>

namespace lockstep::ui {

/// A cell of a confusion matrix: the row is the label, the column the prediction.
struct MatrixPlace
{
    int label = 0;
    int predicted = 0;

    bool operator==(const MatrixPlace&) const = default;
};

/// A confusion matrix of counts, painted: rows are the labels, columns the predictions; blue what
/// is right, orange what is taken for something else, the more the stronger. A click on a cell, or
/// the arrow keys and Return, choose it; once more, or Escape, no cell. GUI thread.
class ConfusionView : public QWidget
{
    Q_OBJECT

public:
    /// Of more classes nothing could be told apart: what is said then is for the owner.
    static constexpr int kMostClasses = 100;

    explicit ConfusionView(QWidget* parent = nullptr);

    /// names.size() x names.size() counts, row by row, and of each label all its images, which are
    /// more than those of its row where some were taken for no class. Forgets the chosen cell if it
    /// is gone.
    void setMatrix(
        std::vector<qint64> counts, std::vector<qint64> labelTotals, const QStringList& names);
    [[nodiscard]] qint64 count(const MatrixPlace& place) const;
    [[nodiscard]] int classes() const noexcept { return static_cast<int>(m_names.size()); }
    /// Shows shares of the images of each label, in per cent, instead of counts.
    void setShares(bool isShares);
    /// Tells nobody.
    void setChosen(std::optional<MatrixPlace> place);
    [[nodiscard]] const std::optional<MatrixPlace>& chosen() const noexcept { return m_chosen; }
    [[nodiscard]] QRectF cellRect(const MatrixPlace& place) const;
    /// What a cell says: a count, or a share; nothing where it is zero.
    [[nodiscard]] QString cellText(const MatrixPlace& place) const;

    [[nodiscard]] QSize sizeHint() const override { return {350, 230}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, 100}; }

signals:
    /// A person chose this cell, or none.
    void chosenChanged(const std::optional<lockstep::ui::MatrixPlace>& place);

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    static constexpr double kNameGap = 4.0; ///< between names and cells

    void measureNames();
    [[nodiscard]] QRectF area() const;
    [[nodiscard]] bool isColumnUpright() const;
    [[nodiscard]] double share(const MatrixPlace& place) const;
    [[nodiscard]] QColor cellColor(const MatrixPlace& place) const;
    [[nodiscard]] std::optional<MatrixPlace> placeAt(const QPointF& point) const;
    [[nodiscard]] QString words(const MatrixPlace& place) const;
    void choose(const std::optional<MatrixPlace>& place);
    void paintCells(QPainter& painter) const;
    void paintNames(QPainter& painter) const;
    void paintColumnName(QPainter& painter, int number, const QRectF& cell, double room) const;
    void paintFrames(QPainter& painter) const;

    std::vector<qint64> m_counts;
    std::vector<qint64> m_labelTotals;
    double m_mostConfused = 0.0; ///< largest share off the diagonal
    QStringList m_names;
    double m_longestName = 0.0; ///< in the widget's font
    bool m_isShares = false;
    std::optional<MatrixPlace> m_chosen;
    MatrixPlace m_cursor; ///< of the keyboard
};

} // namespace lockstep::ui
