// SPDX-License-Identifier: Apache-2.0
#pragma once

// What lies on disk of a run: its folder, its store, its checkpoints, and their export.
#include "storage/checkpoint/checkpoint_folder.h"
#include "storage/checkpoint/safetensors.h"
#include "storage/events/event_export.h"
#include "storage/events/event_index.h"
#include "storage/events/event_scalars.h"
#include "storage/store/csv_export.h"
#include "storage/store/gradient_csv.h"
#include "storage/store/run_folder.h"
#include "storage/store/run_lock.h"
#include "storage/store/run_stamp.h"
#include "storage/store/run_store_reader.h"
