// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a checkpoint makes of a data set, of a few images or of one.
#include "session/evaluation/classification_csv.h"
#include "session/evaluation/evaluate_checkpoint.h"
#include "session/evaluation/file_predictions.h"
#include "session/evaluation/image_classes.h"
#include "session/evaluation/image_predictor.h"
#include "session/evaluation/open_checkpoint.h"
#include "session/events/event_pictures.h"
#include "session/step/image_scoring.h"
