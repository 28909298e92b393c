// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/readers/evaluation_reader.h"

#include <QWidget>

namespace lockstep::ui {

/// What an evaluation says of the images of the test set, the most wrong ones first, as it fits
/// what the run's network does.
class EvaluationPage : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Another run, of which nothing is known yet: no filter.
    virtual void clear() {}
    /// `text` stands where there is nothing to show.
    virtual void setPicture(const EvaluationPicture& picture, const QString& text) = 0;
    /// No image of the table is shown any more.
    virtual void deselect() = 0;
    /// What narrows the table, to stand above the page.
    [[nodiscard]] virtual QWidget& filters() = 0;

signals:
    /// A person wants to see this image of the test set.
    void exampleWanted(qint64 example);
};

} // namespace lockstep::ui
