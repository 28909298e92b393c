// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/configuration_difference.h"
#include "models/engine_text.h"

#include "engine/config.h"

namespace lockstep::ui {

std::vector<ComparedKey> compareConfigurations(const RunConfig& first, const RunConfig& second)
{
    const std::vector<ConfigKey> firstKeys = configKeys(first);
    const std::vector<ConfigKey> secondKeys = configKeys(second);
    std::vector<ComparedKey> keys;
    keys.reserve(firstKeys.size());
    for (std::size_t i = 0; i < firstKeys.size(); ++i) {
        keys.push_back(
            {QString::fromStdString(firstKeys[i].name), QString::fromStdString(firstKeys[i].value),
             QString::fromStdString(secondKeys[i].value), engineText(firstKeys[i].meaning)});
    }
    return keys;
}

} // namespace lockstep::ui
