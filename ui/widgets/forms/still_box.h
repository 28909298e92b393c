// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace lockstep::ui {

/// Keeps changes of what is in it from the layout around it. A label asks for a new layout with
/// every text, which goes up to the window and costs more than painting the text. The box asks for
/// one only when its content wants more room than ever before, so that figures which come and go
/// don't move what stands beside them.
class StillBox : public QWidget
{
    Q_OBJECT

public:
    /// Grows: as wide as the content ever wanted to be. Fills: as wide as there is room for.
    enum class Width { Grows, Fills };

    /// Takes the content over.
    StillBox(QWidget* content, Width width, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override { return m_hint; }
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void take();

    QWidget* m_content;
    Width m_width;
    QSize m_hint{0, 0};
};

} // namespace lockstep::ui
