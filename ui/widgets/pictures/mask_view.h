// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QStringList>
#include <QWidget>

#include <vector>

namespace lockstep::ui {

/// A picture, what is marked in it and what a network says of it. The two maps have rows x columns
/// cells, row by row, and lie over the whole picture; each may be empty.
struct MaskPicture
{
    QImage input;                     ///< null: there is none to show
    std::vector<float> label;         ///< 0 to 1; a cell is marked where it is more than 0
    std::vector<float> probabilities; ///< 0 to 1
    int rows = 0;
    int columns = 0;
};

/// Shows a MaskPicture in one or several ways side by side, as large as there is room, all of the
/// picture's proportions. Every cell of a map is seen for itself; the colours are those of
/// MaskLegend. GUI thread.
class MaskView : public QWidget
{
    Q_OBJECT

public:
    enum class Layer {
        Input,      ///< the picture alone
        Label,      ///< what is marked, blue on black
        Prediction, ///< the probabilities, orange on black
        Overlay     ///< the picture, predicted cells tinted, the label's outline
    };

    explicit MaskView(QWidget* parent = nullptr);

    void setPicture(const MaskPicture& picture);
    [[nodiscard]] const MaskPicture& picture() const noexcept { return m_picture; }
    /// 0 to 1: a cell counts as predicted above it. 0.5 before the first call.
    void setThreshold(double threshold);
    [[nodiscard]] double threshold() const noexcept { return m_threshold; }
    /// From left to right. All four before the first call.
    void setLayers(std::vector<Layer> layers);
    [[nodiscard]] const std::vector<Layer>& layers() const noexcept { return m_layers; }

    /// Where the `place`-th of the layers is painted, below its name. Empty without a picture.
    [[nodiscard]] QRectF layerRect(int place) const;
    /// The width at which the layers fill that height.
    [[nodiscard]] int widthFor(int height) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QSizeF proportions() const;
    [[nodiscard]] int captionHeight() const;
    [[nodiscard]] double captionWidth() const;
    [[nodiscard]] double mostRoom() const;
    [[nodiscard]] QSizeF layerSize() const;
    [[nodiscard]] double layerRoom() const;
    void renewTint();
    void describe();
    void paintLayer(QPainter& painter, Layer layer, const QRectF& place);
    void paintInput(QPainter& painter, const QRectF& place);
    void paintOutline(QPainter& painter, const QRectF& place) const;

    MaskPicture m_picture;
    double m_threshold = 0.5;
    std::vector<Layer> m_layers{Layer::Input, Layer::Label, Layer::Prediction, Layer::Overlay};
    QImage m_label;       ///< a pixel for each cell
    QImage m_prediction;  ///< likewise
    QImage m_tint;        ///< likewise, of the predicted cells
    int m_predicted = 0;  ///< so many of these
    QImage m_scaledInput; ///< in pixels of the screen, as it was painted last
};

/// The colours of MaskView in words: what is marked, what is predicted, and the ramp of the
/// probabilities from 0 to 1.
class MaskLegend : public QWidget
{
    Q_OBJECT

public:
    explicit MaskLegend(QWidget* parent = nullptr);

    /// What MaskView::threshold() is.
    void setThreshold(double threshold);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QStringList m_texts; ///< of the label, of what is predicted and of the probabilities
};

} // namespace lockstep::ui
