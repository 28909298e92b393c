// SPDX-License-Identifier: Apache-2.0
#include "format/version_text.h"

#include "engine.h"

#include <CLI/Version.hpp>
#include <nlohmann/json.hpp>

namespace lockstep::train {

std::string versionLines()
{
    std::string lines = fmt::format("lockstep-train {}\n", versionText());
    for (const DeviceReport& device : findDevices()) {
        lines += device.isAvailable ? device.info.library + "\n" : "";
    }
    lines += fmt::format(
        "fmt {}.{}.{}\n", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100);
    lines += fmt::format(
        "nlohmann-json {}.{}.{}\n", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
        NLOHMANN_JSON_VERSION_PATCH);
    lines += fmt::format("CLI11 {}\ncompiler {}", CLI11_VERSION, __VERSION__);
    return lines;
}

} // namespace lockstep::train
