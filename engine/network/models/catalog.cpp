// SPDX-License-Identifier: Apache-2.0
#include "network/models/catalog.h"

#include "base/error.h"
#include "network/models/classifiers.h"
#include "network/models/inception_v3.h"
#include "network/models/segdecnet.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace lockstep {

NetworkSpec networkByName(const std::string& name)
{
    if (name == "cifar10") {
        return cifar10Network();
    }
    if (name == "shapes") {
        return shapesNetwork();
    }
    if (name == "segdecnet") {
        return segdecnetNetwork(segdecnetSettings(SegdecnetVariant::Authors));
    }
    if (name == "inception_v3") {
        return inceptionV3Network({});
    }
    if (isClassifier(name)) {
        return classifierNetwork(name, classifierSettings(name));
    }
    fail(
        ErrorCode::BadInput,
        "model '{}' is not known; choose one of: {}, or give the path of a model file (.toml)",
        name, fmt::join(networkNames(), ", "));
}

std::vector<std::string> networkNames()
{
    std::vector<std::string> names{"cifar10", "shapes", "segdecnet", "inception_v3"};
    std::ranges::copy(classifierNames(), std::back_inserter(names));
    return names;
}

} // namespace lockstep
