// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/base/window_settings.h"

#include "bridge/base/file_names.h"
#include "engine/base.h"
#include "engine/config.h"
#include "engine/storage.h"
#include "window/base/language.h"

#include <QSettings>

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep::ui {
namespace {

QString key(const char* name)
{
    return QLatin1String(name);
}

constexpr const char* kGeometry = "window/geometry";
constexpr const char* kLayout = "window/layout";
constexpr const char* kTheme = "window/theme";
constexpr const char* kNotifications = "window/notifications";
constexpr const char* kLanguage = "window/language";
constexpr const char* kSmoothing = "charts/smoothing";
constexpr const char* kLogarithmic = "charts/logarithmic";
constexpr const char* kAxis = "charts/x_axis";
constexpr const char* kXLogarithmic = "charts/x_logarithmic";
constexpr const char* kRobust = "charts/outliers_off_scale";
constexpr const char* kHeights = "charts/heights";
constexpr const char* kColors = "charts/colors";
constexpr const char* kRunColumns = "runs/header";
constexpr const char* kOverlays = "runs/overlays";
constexpr const char* kConfiguration = "run/configuration";
constexpr const char* kShownRun = "run/shown";

constexpr const char* kAskedAbout = "run/asked_about";

constexpr int kMostAskedAbout = 50;
constexpr int kMostSmoothing = 99;

/// As they are kept: a number would mean another axis once there is a new one.
constexpr std::array<std::pair<XAxis, const char*>, 4> kAxes{{
    {XAxis::Step, "step"},
    {XAxis::Epoch, "epoch"},
    {XAxis::Examples, "examples"},
    {XAxis::WallTime, "training_time"},
}};

QString nameOf(XAxis axis)
{
    return QLatin1String(
        std::ranges::find(kAxes, axis, &std::pair<XAxis, const char*>::first)->second);
}

/// The default axis if the name is unknown.
XAxis axisByName(const QString& name)
{
    const auto* const found = std::ranges::find_if(
        kAxes, [&](const auto& axis) { return name == QLatin1String(axis.second); });
    return found == kAxes.end() ? XAxis::Step : found->first;
}

} // namespace

QByteArray WindowSettings::geometry() const
{
    return m_settings.value(key(kGeometry)).toByteArray();
}

QByteArray WindowSettings::layout() const
{
    return m_settings.value(key(kLayout)).toByteArray();
}

void WindowSettings::setWindow(const QByteArray& geometry, const QByteArray& layout)
{
    m_settings.setValue(key(kGeometry), geometry);
    m_settings.setValue(key(kLayout), layout);
}

WindowSettings::Charts WindowSettings::charts() const
{
    Charts charts;
    charts.smoothing =
        std::clamp(m_settings.value(key(kSmoothing), charts.smoothing).toInt(), 0, kMostSmoothing);
    charts.isLogarithmic = m_settings.value(key(kLogarithmic), false).toBool();
    charts.axis = axisByName(m_settings.value(key(kAxis)).toString());
    charts.isXLogarithmic = m_settings.value(key(kXLogarithmic), false).toBool();
    charts.isRobust = m_settings.value(key(kRobust), true).toBool();
    charts.heights = m_settings.value(key(kHeights)).toByteArray();
    charts.colors = m_settings.value(key(kColors)).toString();
    return charts;
}

void WindowSettings::setCharts(const Charts& charts)
{
    m_settings.setValue(key(kSmoothing), charts.smoothing);
    m_settings.setValue(key(kLogarithmic), charts.isLogarithmic);
    m_settings.setValue(key(kAxis), nameOf(charts.axis));
    m_settings.setValue(key(kXLogarithmic), charts.isXLogarithmic);
    m_settings.setValue(key(kRobust), charts.isRobust);
    m_settings.setValue(key(kHeights), charts.heights);
    m_settings.setValue(key(kColors), charts.colors);
}

WindowSettings::RunTable WindowSettings::runTable() const
{
    return {
        m_settings.value(key(kRunColumns)).toByteArray(),
        m_settings.value(key(kOverlays)).toStringList()};
}

void WindowSettings::setRunTable(const RunTable& table)
{
    m_settings.setValue(key(kRunColumns), table.columns);
    m_settings.setValue(key(kOverlays), table.overlays);
}

QString WindowSettings::theme() const
{
    return m_settings.value(key(kTheme), QStringLiteral("system")).toString();
}

void WindowSettings::setTheme(const QString& theme)
{
    m_settings.setValue(key(kTheme), theme);
}

bool WindowSettings::isNotifying() const
{
    return m_settings.value(key(kNotifications), true).toBool();
}

void WindowSettings::setNotifying(bool isOn)
{
    m_settings.setValue(key(kNotifications), isOn);
}

QString WindowSettings::language() const
{
    return m_settings.value(key(kLanguage), QLatin1String(kSystemLanguage)).toString();
}

void WindowSettings::setLanguage(const QString& code)
{
    m_settings.setValue(key(kLanguage), code);
}

std::optional<RunConfig> WindowSettings::configuration() const
{
    const QString text = m_settings.value(key(kConfiguration)).toString();
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
    m_settings.setValue(key(kConfiguration), QString::fromStdString(toToml(config)));
}

std::optional<std::filesystem::path> WindowSettings::shownRun() const
{
    const std::filesystem::path folder = toPath(m_settings.value(key(kShownRun)).toString());
    return !folder.empty() && RunFolder::isRun(folder) ? std::optional(folder) : std::nullopt;
}

void WindowSettings::setShownRun(const std::filesystem::path& folder)
{
    m_settings.setValue(key(kShownRun), toQString(folder));
}

QStringList WindowSettings::askedAbout() const
{
    return m_settings.value(key(kAskedAbout)).toStringList();
}

void WindowSettings::setAskedAbout(const QString& name)
{
    QStringList names = askedAbout();
    names.removeAll(name);
    names.prepend(name);
    m_settings.setValue(key(kAskedAbout), names.mid(0, kMostAskedAbout));
}

} // namespace lockstep::ui
