// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/timeline.h"
#include "window/base/language.h"

#include <QByteArray>
#include <QSettings>
#include <QStringList>

#include <filesystem>
#include <optional>

namespace lockstep {
struct RunConfig;
}

namespace lockstep::ui {

/// A value that is kept from one start to the next, and what it is before it was set for the first
/// time.
template<typename Value>
class Setting
{
public:
    Setting(QSettings& settings, const char* name, Value usual = {})
        : m_settings(settings), m_name(name), m_usual(std::move(usual))
    {
    }

    [[nodiscard]] Value operator()() const
    {
        return m_settings.value(m_name, QVariant::fromValue(m_usual)).template value<Value>();
    }
    void set(const Value& value) { m_settings.setValue(m_name, QVariant::fromValue(value)); }
    /// In a list: comes first, and only so many are kept.
    void putFirst(const QString& entry, qsizetype most)
    {
        Value list = (*this)();
        list.removeAll(entry);
        list.prepend(entry);
        set(list.mid(0, most));
    }

private:
    QSettings& m_settings;
    QLatin1String m_name;
    Value m_usual;
};

/// All that the window keeps from one start to the next, except for the lists of RunLibrary. The
/// only place that knows the names of its settings. GUI thread.
class WindowSettings
{
    QSettings& m_settings; // first, since what is kept in it is made from it

public:
    /// `settings` must outlive this object.
    explicit WindowSettings(QSettings& settings) : m_settings(settings) {}

    /// For parts of the window that keep what is theirs alone.
    [[nodiscard]] QSettings& settings() const { return m_settings; }

    Setting<QByteArray> geometry{m_settings, "window/geometry"};
    Setting<QByteArray> layout{m_settings, "window/layout"};
    Setting<bool> isTallBelow{m_settings, "window/tall_below"};
    static constexpr int kTowersHeight = 254; ///< four, and what is said about them
    Setting<int> towersHeight{m_settings, "window/towers_height", kTowersHeight};
    /// "system", "light" or "dark".
    Setting<QString> theme{m_settings, "window/theme", QStringLiteral("system")};
    /// Whether the desktop is told of alerts.
    Setting<bool> isNotifying{m_settings, "window/notifications", true};
    /// A code of languages(), or kSystemLanguage.
    Setting<QString> language{m_settings, "window/language", QLatin1String(kSystemLanguage)};

    Setting<int> smoothing{m_settings, "charts/smoothing", 90}; ///< hundredths
    Setting<bool> isLogarithmic{m_settings, "charts/logarithmic"};
    Setting<bool> isTotalShown{m_settings, "charts/loss_with_weight_decay"};
    Setting<bool> isXLogarithmic{m_settings, "charts/x_logarithmic"};
    Setting<bool> isRobust{m_settings, "charts/outliers_off_scale", true};
    Setting<QByteArray> chartHeights{m_settings, "charts/heights"};
    Setting<QString> colors{m_settings, "charts/colors"}; ///< see chosenColors()
    [[nodiscard]] XAxis axis() const;
    void setAxis(XAxis axis);

    Setting<QByteArray> runColumns{m_settings, "runs/header"};
    /// Folders of the runs that lie over the charts.
    Setting<QStringList> overlays{m_settings, "runs/overlays"};

    /// Machines that were reached, the latest first, and what finds lockstep-train there.
    Setting<QStringList> machines{m_settings, "remote/machines"};
    Setting<QString> programThere{m_settings, "remote/program"};

    /// The configuration that was set up last; empty if there is none or it can't be read any more.
    [[nodiscard]] std::optional<RunConfig> configuration() const;
    void setConfiguration(const RunConfig& config);

    /// The run that was shown last, if it is still there.
    [[nodiscard]] std::optional<std::filesystem::path> shownRun() const;
    void setShownRun(const std::filesystem::path& folder);

    /// Whether runs are started as processes of their own, which go on without a window.
    Setting<bool> isTrainingKept{m_settings, "run/keeps_training"};
    /// Whether the computer may not go to sleep while it trains.
    Setting<bool> isKeptAwake{m_settings, "run/keeps_awake", true};

    /// The ends of runs that a person was asked about, by InterruptedRun::key(), the newest first.
    Setting<QStringList> askedAbout{m_settings, "run/asked_about"};
    /// The crash that a person was told of last: the name of its text, which has its time.
    Setting<QString> toldCrash{m_settings, "window/told_crash"};

private:
    Setting<QString> m_axis{m_settings, "charts/x_axis"};
    Setting<QString> m_configuration{m_settings, "run/configuration"};
    Setting<QString> m_shownRun{m_settings, "run/shown"};
};

} // namespace lockstep::ui
