// SPDX-License-Identifier: Apache-2.0
// Compiled once for all tests with a window (tests/CMakeLists.txt); to be included by nobody.
#pragma once

#include "support/core_headers.h"

#include <QtWidgets>
