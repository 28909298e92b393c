// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace lockstep {
struct RunConfig;
}

namespace lockstep::ui {

/// A key of two configurations.
struct ComparedKey
{
    QString key;
    QString first; ///< as TOML; empty where it is not set
    QString second;
    QString meaning;

    [[nodiscard]] bool isDifferent() const { return first != second; }
};

/// All keys, in the order of the file.
std::vector<ComparedKey> compareConfigurations(const RunConfig& first, const RunConfig& second);

} // namespace lockstep::ui
