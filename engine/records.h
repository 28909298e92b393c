// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a run tells of itself, one record a step, evaluation or alert, and what is worked out of
// them.
#include "metrics/alert_record.h"
#include "metrics/barrier_clock.h"
#include "metrics/device_reading_record.h"
#include "metrics/evaluation_record.h"
#include "metrics/gradient_agreement.h"
#include "metrics/gradient_record.h"
#include "metrics/histogram.h"
#include "metrics/mask_record.h"
#include "metrics/preflight_record.h"
#include "metrics/scores/average_precision.h"
#include "metrics/scores/classified_image.h"
#include "metrics/scores/confusion.h"
#include "metrics/scores/detection_scores.h"
#include "metrics/scores/image_score.h"
#include "metrics/step_record.h"
#include "metrics/throughput.h"
#include "metrics/verdicts/last_tower_statistics.h"
#include "metrics/verdicts/run_verdicts.h"
