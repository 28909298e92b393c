// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/evaluation/class_image_model.h"
#include "panels/evaluation/example_table.h"

#include <vector>

class QComboBox;

namespace lockstep::ui {

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

} // namespace lockstep::ui
