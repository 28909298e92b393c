// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QString>

#include <algorithm>
#include <map>
#include <vector>

namespace lockstep::ui {

/// What the threads of this process cost since the meter was started, by what the system counts of
/// each. Threads that the engine has without a window too are told from the others by the names
/// that it gives them. Linux.
class ThreadMeter
{
public:
    struct Share
    {
        QString name;
        bool isOfEngine = false;
        double load = 0.0;           ///< CPU seconds a second
        double wakesPerSecond = 0.0; ///< how often it was given a processor
    };

    void start()
    {
        m_clock.start();
        m_before = counts();
    }

    /// The dearest first.
    [[nodiscard]] std::vector<Share> shares() const
    {
        const double seconds = static_cast<double>(m_clock.nsecsElapsed()) * 1e-9;
        std::vector<Share> shares;
        for (const auto& [id, now] : counts()) {
            const auto known = m_before.find(id);
            const Count before = known == m_before.end() ? Count() : known->second;
            if (now.turns > before.turns) {
                shares.push_back(
                    {now.name, isOfEngine(now.name), (now.seconds - before.seconds) / seconds,
                     (now.turns - before.turns) / seconds});
            }
        }
        std::ranges::sort(shares, std::ranges::greater(), &Share::load);
        return shares;
    }

private:
    struct Count
    {
        QString name;
        double seconds = 0.0;
        double turns = 0.0;
    };

    static bool isOfEngine(const QString& name)
    {
        constexpr const char* const kNames[] = {
            "engine", "tower-", "loader-", "run-store", "run-watch", "device-sampler", "probe-"};
        return std::ranges::any_of(
            kNames, [&](const char* start) { return name.startsWith(start); });
    }

    static QByteArray contentOf(const QString& file)
    {
        QFile opened(file);
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    }

    static std::map<QString, Count> counts()
    {
        std::map<QString, Count> counts;
        const QString all = "/proc/self/task/";
        for (const QString& id : QDir(all).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            // Nanoseconds on a processor, nanoseconds in the queue for one, times that it got one.
            const auto figures = contentOf(all + id + "/schedstat").split(' ');
            if (figures.size() == 3) { // else it has just ended
                counts[id] = {
                    QString::fromUtf8(contentOf(all + id + "/comm")).trimmed(),
                    figures[0].toDouble() * 1e-9, figures[2].trimmed().toDouble()};
            }
        }
        return counts;
    }

    QElapsedTimer m_clock;
    std::map<QString, Count> m_before;
};

} // namespace lockstep::ui
