// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/pictures/mask_view.h"

#include <QWidget>

namespace lockstep {
struct ImageMasks;
struct MaskRecord;
} // namespace lockstep

namespace lockstep::ui {

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
    void setThreshold(double threshold);
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

} // namespace lockstep::ui
