// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs on other machines, reached over ssh: both ends.
#include "session/remote/remote_machine.h"
#include "session/remote/remote_server.h"
