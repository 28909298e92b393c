// SPDX-License-Identifier: Apache-2.0
#pragma once

// What lies on disk of a run: its folder, its store, its checkpoints, and their export.
#include "storage/checkpoint_folder.h"
#include "storage/csv_export.h"
#include "storage/event_export.h"
#include "storage/event_index.h"
#include "storage/event_scalars.h"
#include "storage/gradient_csv.h"
#include "storage/run_folder.h"
#include "storage/run_lock.h"
#include "storage/run_store_reader.h"
#include "storage/safetensors.h"
