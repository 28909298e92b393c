// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/readers/evaluation_reader.h"

#include <QWidget>

namespace lockstep::ui {

class ClassTable;
class ConfusionPanel;

/// An evaluation of a network that classifies: its images, the most wrong ones first, and what is
/// taken for what. A cell of the matrix that is chosen narrows the table to its images.
class ClassPage : public QWidget
{
    Q_OBJECT

public:
    explicit ClassPage(QWidget* parent = nullptr);

    /// Another run, of which nothing is known yet: no filter.
    void clear();
    /// `text` stands where there are no images.
    void setPicture(const EvaluationPicture& picture, const QString& text);
    /// Takes what chooses the evaluation above its table.
    void addChoices(QWidget* choices);
    /// No image of the table is shown any more.
    void deselect();

signals:
    /// A person wants to see this image of the test set.
    void exampleWanted(qint64 example);

private:
    ClassTable* m_table;
    ConfusionPanel* m_confusion;
};

} // namespace lockstep::ui
