// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/charts/charts_panel.h"
#include "window/base/window_actions.h"
#include "window/main_window.h"

#include <QtWidgets>

#include <stdexcept>
#include <vector>

namespace lockstep::ui {

/// Takes a picture of each dock of a window that trains, in both themes and two sizes, at the scale
/// that QT_SCALE_FACTOR asks for, so that people can look at what the window really shows. The
/// event loop goes on meanwhile.
class WindowTour
{
public:
    WindowTour(MainWindow& window, const QString& folder) : m_window(window), m_folder(folder)
    {
        m_folder.mkpath(".");
    }

    void run()
    {
        auto* const charts = m_window.findChild<ChartsPanel*>();
        for (const QSize size : {QSize(1440, 900), QSize(1024, 640)}) {
            m_window.resize(size);
            for (const char* const theme : {"light", "dark"}) {
                choose(theme);
                for (const Stop& stop : stops()) {
                    show(stop);
                    settle();
                    save(stop, theme, size);
                }
                const auto& newest = m_window.run().newestStep();
                charts->range().crossHair().setAt(
                    newest ? 0.7 * static_cast<double>(newest->step) : 0.0);
                show(stops().front());
                settle();
                save({"cross_hair", "log_dock", -1}, theme, size);
                charts->range().crossHair().setRow(std::nullopt);
            }
        }
    }

private:
    struct Stop
    {
        const char* name;
        const char* dock;
        int tab; ///< of the dock; -1: it has none
    };

    static const std::vector<Stop>& stops()
    {
        static const std::vector<Stop> list{
            {"log", "log_dock", -1},
            {"preview", "preview_dock", -1},
            {"checkpoints", "checkpoints_dock", -1},
            {"runs", "runs_dock", -1},
            {"gradients", "gradients_dock", -1},
            {"histograms", "weights_dock", 0},
            {"filters", "weights_dock", 1},
            {"sparsity", "weights_dock", 2},
            {"devices", "devices_dock", -1},
            {"masks", "masks_dock", -1},
            {"evaluation", "evaluation_dock", -1},
            {"barrier", "barrier_dock", -1},
            {"towers", "towers_dock", -1}};
        return list;
    }

    void choose(const QString& theme)
    {
        for (QAction* const action : m_window.actions().theme->actions()) {
            if (action->data().toString() == theme) {
                action->trigger();
            }
        }
    }

    void show(const Stop& stop)
    {
        auto* const dock = m_window.findChild<QDockWidget*>(QLatin1String(stop.dock));
        if (dock == nullptr) {
            throw std::runtime_error(std::string("there is no ") + stop.dock);
        }
        dock->show();
        dock->raise();
        if (stop.tab >= 0) {
            dock->findChild<QTabBar*>("weights_tabs")->setCurrentIndex(stop.tab);
        }
    }

    /// Until what is read on other threads is there, and figures that are renewed now and then.
    static void settle()
    {
        QEventLoop loop;
        QTimer::singleShot(2500, &loop, &QEventLoop::quit);
        loop.exec();
    }

    void save(const Stop& stop, const QString& theme, QSize size)
    {
        const QString name = QString("%1-%2-%3x%4-%5x.png")
                                 .arg(QLatin1String(stop.name), theme)
                                 .arg(size.width())
                                 .arg(size.height())
                                 .arg(qRound(qApp->devicePixelRatio()));
        m_window.grab().save(m_folder.filePath(name));
    }

    MainWindow& m_window;
    QDir m_folder;
};

} // namespace lockstep::ui
