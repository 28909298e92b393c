// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/readers/layer_reader.h"

#include <QImage>
#include <QWidget>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

class QLabel;
class QSlider;

namespace lockstep::ui {

class HistogramPlot;
class TileView;

/// The filters of the first convolution as pictures, of the newest record or of any other.
class FilterPage : public QWidget
{
    Q_OBJECT

public:
    explicit FilterPage(QWidget* parent = nullptr);

    /// What is recorded; the slider stays at its step, or at the newest.
    void setSteps(const std::vector<std::int64_t>& steps);
    /// The filters as they were after a step.
    void setFilters(const std::vector<QImage>& filters, std::int64_t step);
    /// Whose filters are wanted; nothing: the newest.
    [[nodiscard]] std::optional<std::int64_t> wantedStep() const;

signals:
    void wantedStepChanged();

private:
    void showStep();

    std::vector<std::int64_t> m_steps;
    std::optional<std::int64_t> m_shown; ///< the step of the picture
    bool m_isNewest = true;
    TileView* m_view;
    QSlider* m_slider;
    QLabel* m_caption;
};

/// How weights, gradients and activations of a layer are distributed, side by side, with one
/// cross-hair.
class HistogramPage : public QWidget
{
    Q_OBJECT

public:
    explicit HistogramPage(QWidget* parent = nullptr);

    void setPicture(const LayerPicture& picture);

private:
    std::array<HistogramPlot*, 3> m_plots{}; ///< values, gradients, activations
};

} // namespace lockstep::ui
