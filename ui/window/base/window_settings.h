// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/timeline.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <filesystem>
#include <optional>

class QSettings;

namespace lockstep {
struct RunConfig;
}

namespace lockstep::ui {

/// All that the window keeps from one start to the next, except for the lists of RunLibrary. The
/// only place that knows the names of its settings. GUI thread.
class WindowSettings
{
public:
    /// What a person chose for the charts.
    struct Charts
    {
        int smoothing = 90; ///< hundredths
        bool isLogarithmic = false;
        XAxis axis = XAxis::Step;
        bool isXLogarithmic = false;
        bool isRobust = true;
        QByteArray heights;
        QString colors; ///< of towers and runs, see chosenColors()
    };

    /// What a person chose for the table of runs.
    struct RunTable
    {
        QByteArray columns;
        QStringList overlays; ///< folders of the runs that lie over the charts
    };

    /// `settings` must outlive this object.
    explicit WindowSettings(QSettings& settings) : m_settings(settings) {}

    /// For parts of the window that keep what is theirs alone.
    [[nodiscard]] QSettings& settings() const { return m_settings; }

    [[nodiscard]] QByteArray geometry() const;
    [[nodiscard]] QByteArray layout() const;
    void setWindow(const QByteArray& geometry, const QByteArray& layout);

    [[nodiscard]] Charts charts() const;
    void setCharts(const Charts& charts);

    [[nodiscard]] RunTable runTable() const;
    void setRunTable(const RunTable& table);

    /// "system", "light" or "dark".
    [[nodiscard]] QString theme() const;
    void setTheme(const QString& theme);

    /// Whether the desktop is told of alerts.
    [[nodiscard]] bool isNotifying() const;
    void setNotifying(bool isOn);

    /// A code of languages(), or kSystemLanguage.
    [[nodiscard]] QString language() const;
    void setLanguage(const QString& code);

    /// The configuration that was set up last; empty if there is none or it can't be read any more.
    [[nodiscard]] std::optional<RunConfig> configuration() const;
    void setConfiguration(const RunConfig& config);

    /// The run that was shown last, if it is still there.
    [[nodiscard]] std::optional<std::filesystem::path> shownRun() const;
    void setShownRun(const std::filesystem::path& folder);

    /// The ends of runs that a person was asked about, by InterruptedRun::key().
    [[nodiscard]] QStringList askedAbout() const;
    [[nodiscard]] bool wasAskedAbout(const QString& name) const
    {
        return askedAbout().contains(name);
    }
    void setAskedAbout(const QString& name);

private:
    QSettings& m_settings;
};

} // namespace lockstep::ui
