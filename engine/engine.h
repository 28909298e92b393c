// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one header of the engine that the programs include.
#include "base/error.h"
#include "dataset/catalog.h"
#include "dataset/download.h"
#include "device/device_registry.h"
#include "metrics/throughput.h"
#include "network/cost.h"
#include "network/models/catalog.h"
#include "session/bench.h"
#include "session/evaluate_checkpoint.h"
#include "session/open_checkpoint.h"
#include "session/run_config.h"
#include "session/selftest.h"
#include "session/training_run.h"
#include "session/version.h"
#include "storage/csv_export.h"
#include "storage/run_store_reader.h"
