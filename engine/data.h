// SPDX-License-Identifier: Apache-2.0
#pragma once

// Data sets, where they come from, and the batches that are made of them.
#include "dataset/examples/class_names.h"
#include "dataset/examples/data_identity.h"
#include "dataset/examples/encoded_dataset.h"
#include "dataset/examples/original_image.h"
#include "dataset/fetch/download.h"
#include "dataset/formats/catalog.h"
#include "dataset/formats/cifar10.h"
#include "dataset/formats/synthetic.h"
#include "dataset/formats/synthetic_defects.h"
#include "input/batch_arithmetic.h"
#include "input/batch_builder.h"
#include "session/config/run_data.h"
