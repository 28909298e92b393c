// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>
#include <QWidget>

#include <vector>

namespace lockstep::ui {

/// A class and how probable it is called.
struct ClassBar
{
    QString name;
    double probability = 0.0; ///< 0 to 1
    bool isLabel = false;     ///< it is what the image is
};

/// An image, enlarged without smoothing so that each of its pixels is seen, and beside it the
/// classes that a network calls most probable, as bars. The label's is blue, others are orange, as
/// with masks. GUI thread.
class ClassAnswer : public QWidget
{
    Q_OBJECT

public:
    explicit ClassAnswer(QWidget* parent = nullptr);

    /// The most probable class first. A null image empties it.
    void setAnswer(const QImage& image, std::vector<ClassBar> bars);
    [[nodiscard]] const QImage& image() const noexcept { return m_image; }
    [[nodiscard]] const std::vector<ClassBar>& bars() const noexcept { return m_bars; }
    /// Where the image is painted. Empty without one.
    [[nodiscard]] QRectF imageRect() const;

    [[nodiscard]] QSize sizeHint() const override { return {280, 160}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, 80}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// Higher than wide: the bars are below.
    [[nodiscard]] bool isStacked() const { return height() > width() * 1.2; }
    void paintBar(QPainter& painter, const ClassBar& bar, const QRectF& place) const;

    QImage m_image;
    std::vector<ClassBar> m_bars;
};

} // namespace lockstep::ui
