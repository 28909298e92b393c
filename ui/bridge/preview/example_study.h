// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/preview/preview_batch.h"

#include <QRectF>
#include <QStringList>

namespace lockstep::ui {

/// Which example is to be looked at.
struct StudyRequest
{
    RunConfig config;
    Split split = Split::Train;
    Visit visit;          ///< the first draw is that of this epoch, the others of those that follow
    int furtherDraws = 0; ///< as an evaluation draws nothing, there are none in a test set
};

/// An example as it is made in one epoch.
struct ExampleDraw
{
    std::uint32_t epoch = 0;
    QImage image;      ///< as the network sees it
    QRectF crop;       ///< the part of the original, in shares of its sides; none: all of it
    QStringList words; ///< what was done to it
};

/// An example before and after its distortions.
struct ExampleStudy
{
    Split split = Split::Train;
    Visit visit;
    QString name = {};      ///< what the data set calls it
    QString className = {}; ///< as the data set has it
    QImage original = {};   ///< scaled down where it is large
    QSize size = {};        ///< of the original, in pixels
    std::vector<ExampleDraw> draws = {};
    QString problem = {}; ///< why there is nothing; else empty
};

/// Makes an example as the run does in these epochs, by the same function: the draws of an epoch
/// come from random streams of its own. Throws what the pipeline throws.
ExampleStudy studyExample(
    const StudyRequest& request, PreviewData& data, const LoadProgress& progress);

} // namespace lockstep::ui
