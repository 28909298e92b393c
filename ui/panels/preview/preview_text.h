// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/preview/preview_batch.h"

#include <QString>

#include <cstdint>

namespace lockstep::ui {

/// How standardised images are made visible; empty where others are shown.
QString stretchText(const PreviewBatch& batch);

/// Above the images of a step: "Step 12: what each tower gets · seed 3"; that
/// standardised images are stretched is said, too. `isDone`: the step was trained already.
QString stepText(const PreviewBatch& batch, std::int64_t step, std::uint64_t seed, bool isDone);

/// Above images of the test set: which ones, and what is done to them.
QString evaluationText(const PreviewBatch& batch);

} // namespace lockstep::ui
