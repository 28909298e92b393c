// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/evaluation/class_image_model.h"

#include <QSortFilterProxyModel>

#include <optional>

namespace lockstep::ui {

/// Which images are listed.
struct ClassFilter
{
    std::optional<int> label;     ///< none: all
    std::optional<int> predicted; ///< likewise
    bool isWrongOnly = false;

    bool operator==(const ClassFilter&) const = default;
};

bool isListed(const ClassImageRow& image, const ClassFilter& filter);

/// The rows of a ClassImageModel that a filter lets through, in the order of a column: the most
/// wrong ones first, until a person chooses another.
class ClassFilterModel : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    /// The model is the source, and must outlive this.
    explicit ClassFilterModel(ClassImageModel& model, QObject* parent = nullptr);

    void setFilter(const ClassFilter& filter);
    [[nodiscard]] const ClassFilter& filter() const noexcept { return m_filter; }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    const ClassImageModel& m_model;
    ClassFilter m_filter;
};

} // namespace lockstep::ui
