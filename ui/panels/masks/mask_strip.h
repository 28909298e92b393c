// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/session/session_controller.h"
#include "widgets/pictures/mask_view.h"

#include <QScrollArea>
#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

namespace lockstep::ui {

/// "part 12": the data set's name of it, or its number.
QString maskTitle(const ImageMasks& image);
/// "defective, score 0.93", and "peak 0.87, in the label": what is told below a picture.
QString classText(const ImageMasks& image);
QString peakText(const ImageMasks& image);
/// "Loss 0.41: segmentation 0.12, decision 0.29".
QString towerLossText(const TowerMasks& tower);

/// Why a run shows no masks, now or ever; what can be done. `hasMasks`: its network predicts them.
QString noMasksText(bool hasMasks, SessionController::State state, bool isLive);

/// The picture with which the masks of an image are shown.
MaskPicture maskPictureOf(const MaskRecord& record, const ImageMasks& image);

/// One image of a tower with its masks, its name and what is said of it: beside the pictures where
/// there is room, else above and below. Can have the keyboard, for those who read it by ear.
class MaskCard : public QWidget
{
    Q_OBJECT

public:
    explicit MaskCard(QWidget* parent = nullptr);

    void setImage(const MaskRecord& record, int tower, const ImageMasks& image);
    void setThreshold(double threshold) { m_view->setThreshold(threshold); }
    /// Takes the height, and the width that its pictures have then, with the words beside them or
    /// not.
    void fitHeight(int height, bool areWordsBeside);

    [[nodiscard]] const MaskView& view() const noexcept { return *m_view; }
    /// The lines below the name.
    [[nodiscard]] QStringList lines() const { return m_lines; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int m_tower = 0;
    bool m_areWordsBeside = false;
    QString m_title;
    QStringList m_lines;
    MaskView* m_view;
};

/// The images of a step with their masks beside each other, as high as there is room.
class MaskStrip : public QScrollArea
{
    Q_OBJECT

public:
    explicit MaskStrip(QWidget* parent = nullptr);

    /// Of one tower, or of all.
    void setRecord(const MaskRecord& record, std::optional<int> tower);
    void setThreshold(double threshold);
    [[nodiscard]] const std::vector<MaskCard*>& cards() const noexcept { return m_cards; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void setCount(std::size_t count);
    void fit();

    double m_threshold = 0.5;
    QWidget* m_row;
    std::vector<MaskCard*> m_cards;
};

} // namespace lockstep::ui
