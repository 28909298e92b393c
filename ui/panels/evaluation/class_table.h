// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/evaluation/class_image_model.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QHBoxLayout;

namespace lockstep::ui {

class ExampleTable;

/// The images that a network classified, those of the largest loss first; all, only the wrong ones,
/// or only those of one label or prediction.
class ClassTable : public QWidget
{
    Q_OBJECT

public:
    explicit ClassTable(QWidget* parent = nullptr);

    /// Choices of what is listed, before the table's own.
    void addChoices(QWidget* choices);
    /// Another run: no rows, no filter.
    void clear();
    /// The selected image, and the filter, stay so, if they are there again. No names: those of
    /// before.
    void setRows(std::vector<ClassImageRow> rows, const QStringList& names);
    void setFilter(const ClassFilter& filter);
    [[nodiscard]] const ClassFilter& filter() const noexcept { return m_order.filter(); }
    [[nodiscard]] ExampleTable& table() const noexcept { return *m_table; }

signals:
    /// A person wants to see this one.
    void chosen(qint64 example);
    /// A person chose what is listed.
    void filterChanged();

private:
    QComboBox* makeFilter(const QString& name, const QString& meaning);
    void fillFilters();
    void takeFilters();
    void showFilter();

    ClassImageModel m_model;
    ClassFilterModel m_order;
    ExampleTable* m_table;
    QComboBox* m_label;
    QComboBox* m_predicted;
    QHBoxLayout* m_choices;
};

} // namespace lockstep::ui
