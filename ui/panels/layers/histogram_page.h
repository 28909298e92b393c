// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/readers/layer_reader.h"

#include <QWidget>

#include <array>

namespace lockstep::ui {

class HistogramPlot;

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
