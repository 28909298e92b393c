// SPDX-License-Identifier: Apache-2.0
#include "device/precision.h"

#include "base/enum_names.h"

namespace lockstep {
namespace {

constexpr EnumNames<Precision, 3> kNames{{"float32", "tf32", "bfloat16"}};

} // namespace

std::string toString(Precision precision)
{
    return std::string(kNames.of(precision));
}

Precision precisionByName(const std::string& name)
{
    return kNames.named(
        name, "precision '{}' is not known; choose one of: float32, tf32, bfloat16");
}

} // namespace lockstep
