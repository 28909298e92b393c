// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a checkpoint makes of a data set, of a few images or of one.
#include "session/class_files.h"
#include "session/evaluate_checkpoint.h"
#include "session/event_pictures.h"
#include "session/image_scoring.h"
#include "session/image_trial.h"
#include "session/open_checkpoint.h"
