// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/overlay_runs.h"
#include "models/engine_text.h"

#include "bridge/base/file_names.h"
#include "bridge/runs/run_title.h"
#include "engine/config.h"
#include "engine/run.h"
#include "models/names.h"

#include <algorithm>
#include <utility>

namespace lockstep::ui {
namespace {

/// What it trains, and with which data; nothing where that can't be read.
QString subjectOfRun(const std::filesystem::path& folder)
{
    try {
        return subjectOf(configOfRun(folder));
    } catch (const std::exception&) { // said where the run is read
        return {};
    }
}

} // namespace

QString subjectOf(const RunConfig& config)
{
    return QStringLiteral("%1, %2").arg(
        modelTitle(QString::fromStdString(config.model.name)),
        datasetTitle(
            QString::fromStdString(config.dataset), QString::fromStdString(config.datasetPath)));
}

OverlayRuns::OverlayRuns(QObject* parent) : QObject(parent)
{
    m_thread.setMaxThreadCount(1);
}

OverlayRuns::~OverlayRuns()
{
    m_thread.clear();
    m_thread.waitForDone();
}

OverlayRuns::Overlay* OverlayRuns::find(const QString& folder)
{
    const auto found =
        std::find_if(m_overlays.begin(), m_overlays.end(), [&](const Overlay& overlay) {
            return overlay.folder == folder;
        });
    return found == m_overlays.end() ? nullptr : &*found;
}

int OverlayRuns::freeColor() const
{
    int color = 0;
    const auto isTaken = [&](const Overlay& overlay) { return overlay.color == color; };
    while (std::any_of(m_overlays.begin(), m_overlays.end(), isTaken)) {
        ++color;
    }
    return color;
}

bool OverlayRuns::setOverlaid(const QString& folder, bool isOverlaid)
{
    if ((find(folder) != nullptr) == isOverlaid) {
        return true;
    }
    if (!isOverlaid) {
        const auto removed =
            std::find_if(m_overlays.begin(), m_overlays.end(), [&](const Overlay& overlay) {
                return overlay.folder == folder;
            });
        const Overlay kept = *removed; // until those who read it were told
        m_overlays.erase(removed);
        emit changed();
        return true;
    }
    if (m_overlays.size() == kMost) {
        return false;
    }
    m_overlays.push_back(
        {folder, titleOf(toPath(folder)), subjectOfRun(toPath(folder)), freeColor(), nullptr,
         std::make_shared<OverlayReader>(toPath(folder))});
    emit changed();
    refresh(folder);
    return true;
}

QStringList OverlayRuns::folders() const
{
    QStringList folders;
    for (const Overlay& overlay : m_overlays) {
        folders.append(overlay.folder);
    }
    return folders;
}

QHash<QString, int> OverlayRuns::colors() const
{
    QHash<QString, int> colors;
    for (const Overlay& overlay : m_overlays) {
        colors.insert(overlay.folder, overlay.color);
    }
    return colors;
}

void OverlayRuns::refresh(const QString& folder)
{
    const Overlay* const overlay = find(folder);
    if (overlay == nullptr) {
        return;
    }
    if (m_reading.contains(folder)) {
        if (!m_wanted.contains(folder)) {
            m_wanted.append(folder);
        }
        return;
    }
    m_reading.append(folder);
    m_thread.start([this, folder, reader = overlay->reader] {
        std::shared_ptr<OverlaySeries> series;
        QString problem;
        try {
            series = reader->read();
        } catch (const std::exception& error) {
            problem = engineText(error.what());
        }
        QMetaObject::invokeMethod(
            this,
            [this, folder, series, problem] {
                onRead(folder, series);
                if (!problem.isEmpty()) {
                    emit failed(problem);
                }
            },
            Qt::QueuedConnection);
    });
}

void OverlayRuns::onRead(const QString& folder, const std::shared_ptr<OverlaySeries>& series)
{
    m_reading.removeAll(folder);
    Overlay* const overlay = find(folder);
    if (overlay != nullptr && series != nullptr) {
        series->setSmoothing(m_smoothing);
        const auto kept = std::exchange(overlay->series, series);
        overlay->name = titleOf(toPath(folder)); // another one may have been given
        emit changed();
    } else if (overlay != nullptr) {
        setOverlaid(folder, false);
    }
    if (m_wanted.removeAll(folder) > 0) {
        refresh(folder);
    }
}

void OverlayRuns::setSmoothing(double weight)
{
    m_smoothing = weight;
    for (const Overlay& overlay : m_overlays) {
        if (overlay.series) {
            overlay.series->setSmoothing(weight);
        }
    }
}

} // namespace lockstep::ui
