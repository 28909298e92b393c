// SPDX-License-Identifier: Apache-2.0
#include "network/models/catalog.h"

#include "base/error.h"
#include "network/models/segdecnet.h"

#include <fmt/ranges.h>

namespace lockstep {

NetworkSpec networkByName(const std::string& name)
{
    if (name == "cifar10") {
        return cifar10Network();
    }
    if (name == "segdecnet") {
        return segdecnetNetwork(segdecnetSettings(SegdecnetVariant::Authors));
    }
    fail(
        ErrorCode::BadInput,
        "model '{}' is not known; choose one of: {}, or give the path of a model file (.toml)",
        name, fmt::join(networkNames(), ", "));
}

std::vector<std::string> networkNames()
{
    return {"cifar10", "segdecnet"};
}

} // namespace lockstep
