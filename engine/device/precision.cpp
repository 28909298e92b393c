// SPDX-License-Identifier: Apache-2.0
#include "device/precision.h"

#include "base/error.h"

#include <array>

namespace lockstep {

std::string toString(Precision precision)
{
    switch (precision) {
    case Precision::Float32:
        return "float32";
    case Precision::Tf32:
        return "tf32";
    case Precision::Bfloat16:
        return "bfloat16";
    }
    fail(ErrorCode::Internal, "internal error: precision out of range");
}

Precision precisionByName(const std::string& name)
{
    for (const Precision precision : {Precision::Float32, Precision::Tf32, Precision::Bfloat16}) {
        if (toString(precision) == name) {
            return precision;
        }
    }
    fail(
        ErrorCode::BadInput, "precision '{}' is not known; choose one of: float32, tf32, bfloat16",
        name);
}

} // namespace lockstep
