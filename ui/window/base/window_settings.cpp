// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/base/window_settings.h"

#include "bridge/base/file_names.h"
#include "engine/base.h"
#include "engine/config.h"
#include "engine/storage.h"

#include <algorithm>
#include <array>

namespace lockstep::ui {
namespace {

/// By XAxis, as they are kept: a number would mean another axis once there is a new one.
constexpr std::array<QLatin1String, 4> kAxes{
    QLatin1String("step"), QLatin1String("epoch"), QLatin1String("examples"),
    QLatin1String("training_time")};

} // namespace

/// The usual one if the name is unknown.
XAxis WindowSettings::axis() const
{
    const auto* const found = std::ranges::find(kAxes, m_axis());
    return found == kAxes.end() ? XAxis::Step : static_cast<XAxis>(found - kAxes.begin());
}

void WindowSettings::setAxis(XAxis axis)
{
    m_axis.set(kAxes[static_cast<std::size_t>(axis)]);
}

std::optional<RunConfig> WindowSettings::configuration() const
{
    const QString text = m_configuration();
    if (text.isEmpty()) {
        return std::nullopt;
    }
    try {
        RunConfig config;
        parseConfig(config, text.toStdString(), m_settings.fileName().toStdString());
        return config;
    } catch (const Error&) { // of another version: the presets are better than half of it
        return std::nullopt;
    }
}

void WindowSettings::setConfiguration(const RunConfig& config)
{
    m_configuration.set(QString::fromStdString(toToml(config)));
}

std::optional<std::filesystem::path> WindowSettings::shownRun() const
{
    const std::filesystem::path folder = toPath(m_shownRun());
    return !folder.empty() && RunFolder::isRun(folder) ? std::optional(folder) : std::nullopt;
}

void WindowSettings::setShownRun(const std::filesystem::path& folder)
{
    m_shownRun.set(toQString(folder));
}

} // namespace lockstep::ui
