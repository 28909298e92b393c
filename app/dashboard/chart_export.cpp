// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_export.h"

#include "bridge/base/file_names.h"
#include "bridge/runs/run_marks.h"
#include "bridge/session/live_run.h"
#include "bridge/telemetry/stored_run.h"
#include "engine/base.h"
#include "panels/charts/chart_picture.h"
#include "panels/charts/chart_stack.h"
#include "plots/axes/number_text.h"

#include <QCoreApplication>
#include <QEventLoop>

namespace lockstep::ui {
namespace {

/// That of a window that is opened for the first time.
constexpr double kSmoothing = 0.9;

QString exportText(const char* source)
{
    return QCoreApplication::translate("ChartExport", source);
}

/// Waits until all steps that the run has made by now are read.
void load(SessionController& controller, LiveRun& run, const std::filesystem::path& folder)
{
    QEventLoop loop;
    QString problem;
    const auto endBy = [&](const QString& reason) {
        problem = reason;
        loop.quit();
    };
    const auto endWhenRead = [&] {
        const std::int64_t read = run.newestStep() ? run.newestStep()->step + 1 : 0;
        if (read >= controller.plan().nextStep) {
            loop.quit();
        }
    };
    QObject::connect(&controller, &SessionController::openingFailed, &loop, endBy);
    QObject::connect(
        &controller.feed(), &RunFeed::noteArrived, &loop, [&](const QString& note, bool isWarning) {
            if (isWarning) {
                endBy(note);
            }
        });
    QObject::connect(&run, &LiveRun::begun, &loop, endWhenRead);
    QObject::connect(&run, &LiveRun::stepsAppended, &loop, endWhenRead);
    if (RunGathering::isNeeded(folder)) {
        RunGatherer(folder).finish();
    }
    controller.open(folder);
    loop.exec();
    if (!problem.isEmpty()) {
        fail(ErrorCode::BadInput, "{}", problem.toStdString());
    }
    if (!run.newestStep()) {
        fail(ErrorCode::BadInput, "{}: has made no step that could be shown", folder.string());
    }
}

} // namespace

QString exportCharts(const ChartExport& wanted)
{
    SessionController controller;
    LiveRun run(controller);
    run.setSmoothing(kSmoothing);
    load(controller, run, wanted.run);
    run.setJoints(readRunHistory(wanted.run).joints());

    ChartStack charts;
    charts.setRun(run.series());
    const ChartPicture picture =
        pictureOf(charts, chartPictureWords(run), {wanted.size, wanted.isDark});
    QStringList written;
    for (const std::filesystem::path& file : wanted.files) {
        writePicture(picture, wanted.scale, file);
        written.append(toQString(file));
    }
    return exportText("%1: %2 steps of %3")
        .arg(
            written.join(QStringLiteral(", ")), countText(run.newestStep()->step + 1),
            toQString(run.folder().filename()));
}

} // namespace lockstep::ui
