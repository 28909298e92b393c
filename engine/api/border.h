// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/lockstep.h"
#include "base/error.h"

#include <exception>
#include <filesystem>
#include <new>

namespace lockstep {

/// Makes a call into the engine: what it throws leaves the library as an Error of its own.
template<class Call>
auto atBorder(const Call& call)
{
    try {
        return call();
    } catch (const Error& error) {
        static_assert(
            static_cast<int>(ErrorCode::Internal) == static_cast<int>(api::ErrorCode::Internal));
        throw api::Error(static_cast<api::ErrorCode>(error.code()), error.what());
    } catch (const std::bad_alloc&) {
        throw api::Error(api::ErrorCode::OutOfMemory, "there is no memory left");
    } catch (const std::filesystem::filesystem_error& error) {
        throw api::Error(api::ErrorCode::Io, error.what());
    } catch (const std::exception& error) {
        throw api::Error(api::ErrorCode::Internal, error.what());
    }
}

} // namespace lockstep
