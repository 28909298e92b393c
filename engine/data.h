// SPDX-License-Identifier: Apache-2.0
#pragma once

// Data sets, where they come from, and the batches that are made of them.
#include "dataset/catalog.h"
#include "dataset/cifar10.h"
#include "dataset/data_identity.h"
#include "dataset/download.h"
#include "dataset/encoded_dataset.h"
#include "dataset/original_image.h"
#include "dataset/synthetic.h"
#include "dataset/synthetic_defects.h"
#include "input/batch_arithmetic.h"
#include "input/batch_builder.h"
#include "session/run_data.h"
