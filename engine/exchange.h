// SPDX-License-Identifier: Apache-2.0
#pragma once

// Networks and weights for other programs.
#include "session/exchange/onnx_model.h"
#include "session/exchange/weights_export.h"
