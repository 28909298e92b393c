// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <exception>
#include <string>

namespace lockstep {

/// Calls into an op; an exception of the library below gets the name of the layer.
template<class Call>
void guarded(const std::string& layer, Call call)
{
    try {
        call();
    } catch (const Error& error) {
        fail(error.code(), "layer '{}': {}", layer, error.what());
    } catch (const std::exception& error) {
        fail(ErrorCode::Device, "layer '{}': {}", layer, error.what());
    }
}

} // namespace lockstep
