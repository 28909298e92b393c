// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/evaluation/image_models.h"
#include "widgets/bars/quiet_table.h"

#include <QComboBox>

#include <functional>
#include <optional>
#include <vector>

class QSortFilterProxyModel;

namespace lockstep::ui {

/// A table whose rows stand for examples (ExampleRole), of which a person chooses one after the
/// other, sorted at the headers. What is chosen stays so while rows come and go, and only a person
/// chooses.
class ExampleTable : public QuietTable
{
    Q_OBJECT

public:
    using QuietTable::QuietTable;

    /// Shows these, first sorted by `sortedColumn`, the greatest first. Cells of `warningColumn`
    /// stand out where they have WarningRole. For once, before anything else.
    void setOrder(QSortFilterProxyModel& model, int sortedColumn, int warningColumn);
    /// Changes rows: what is selected stays so, if it is there again.
    void change(const std::function<void()>& rows);
    /// The selected example; none without.
    [[nodiscard]] std::optional<qint64> selected() const;
    /// What is selected no more, since another image is shown.
    void deselect();

signals:
    /// A person wants to see this one.
    void chosen(qint64 example);

protected:
    void focusInEvent(QFocusEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    void choose(const QModelIndex& index);
    void select(std::optional<qint64> example);

    bool m_isChanging = false; ///< what becomes current is no person's choice
    int m_rowAtPress = -1;     ///< which was current before the mouse button went down
};

/// The images that a network classified, those of the largest loss first; all, only the wrong ones,
/// or only those of one label or prediction.
class ClassTable : public ExampleTable
{
    Q_OBJECT

public:
    explicit ClassTable(QWidget* parent = nullptr);

    /// What narrows the list; they may stand elsewhere.
    [[nodiscard]] QWidget& filters() const noexcept { return *m_filters; }
    /// Another run: no rows, no filter.
    void clear();
    /// The selected image, and the filter, stay so, if they are there again. No names: those of
    /// before.
    void setRows(std::vector<ClassImageRow> rows, const QStringList& names);
    void setFilter(const ClassFilter& filter);
    [[nodiscard]] const ClassFilter& filter() const noexcept { return m_order.filter(); }

signals:
    /// A person chose what is listed.
    void filterChanged();

private:
    QComboBox* makeFilter(const QString& name, const QString& meaning);
    void fillFilters();
    void takeFilters();
    void showFilter();

    ClassImageModel m_model;
    ClassFilterModel m_order;
    QWidget* m_filters;
    QComboBox* m_label;
    QComboBox* m_predicted;
};

/// The images of an evaluation, the most wrong ones first; all, or only those that a threshold
/// calls wrong in one way.
class ImageTable : public ExampleTable
{
    Q_OBJECT

public:
    explicit ImageTable(QWidget* parent = nullptr);

    /// What narrows the list; it may stand elsewhere.
    [[nodiscard]] QWidget& filters() const noexcept { return *m_filter; }
    /// The selected image stays so, if it is there again.
    void setRows(std::vector<ImageScoreRow> rows);
    void setThreshold(double threshold);

private:
    void showCount();

    ImageScoreModel m_model;
    ImageFilterModel m_order;
    QComboBox* m_filter;
};

} // namespace lockstep::ui
