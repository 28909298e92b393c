// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/preview/example_study.h"

#include <QRectF>
#include <QWidget>

#include <vector>

namespace lockstep::ui {

class NoteLabel;
class PictureCards;

/// One example: as it lies in the data set, with the part that is cut out, and as the network sees
/// it in this epoch and in those that follow, with what was drawn for each.
class StudyView : public QWidget
{
    Q_OBJECT

public:
    explicit StudyView(QWidget* parent = nullptr);

    void setStudy(const ExampleStudy& study);

signals:
    void closed();

private:
    void showBox(int card);

    NoteLabel* m_title;
    NoteLabel* m_problem;
    PictureCards* m_cards;
    std::vector<QRectF> m_crops; ///< of each card
};

} // namespace lockstep::ui
