// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/shared/alert_text.h"

#include "models/engine_text.h"
#include "plots/axes/number_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>
#include <map>

namespace lockstep::ui {
namespace {

struct AlertText
{
    Q_DECLARE_TR_FUNCTIONS(AlertText)
};

QString percentText(double share)
{
    return numberText(std::abs(share), {100.0, 0, QStringLiteral(" %")});
}

QString bytesText(double bytes)
{
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1);
}

QString plateauText(const AlertRecord& alert, const AlertFigures& figures)
{
    if (!alert.isOver) {
        return AlertText::tr("The loss has not fallen for %1 steps (%2): lower the learning rate, "
                             "or stop here.")
            .arg(countText(figures.steps), QLocale().toString(figures.loss, 'g', 4));
    }
    return figures.isOtherRate
               ? AlertText::tr("The learning rate has changed: the loss is given time.")
               : AlertText::tr("The loss falls again.");
}

QString stuckText(const AlertRecord& alert, const AlertFigures& figures)
{
    const QString step = countText(alert.step);
    const QString seconds = durationText(figures.seconds);
    if (alert.isOver) {
        return AlertText::tr("The run goes on: step %1 is done, after %2.").arg(step, seconds);
    }
    return figures.isSaving
               ? AlertText::tr("The run seems to be stuck after step %1: it has been writing a "
                               "checkpoint for %2. Look at the disk.")
                     .arg(step, seconds)
               : AlertText::tr("The run seems to be stuck after step %1: no step has been done for "
                               "%2. Look at the disk of the data set, and at the devices.")
                     .arg(step, seconds);
}

QString inputText(const AlertRecord& alert, const AlertFigures& figures)
{
    const QString share = percentText(figures.share);
    return alert.isOver
               ? AlertText::tr("The data come in time again: %1 waiting.").arg(share)
               : AlertText::tr("The towers wait for data %1 of the time (last %2 steps): give the "
                               "input more threads, a faster disk or fewer distortions.")
                     .arg(share, countText(figures.steps));
}

QString diskText(const AlertRecord& alert, const AlertFigures& figures)
{
    const QString text = alert.isOver
                             ? AlertText::tr("There is room on the disk again: %1 free, a "
                                             "checkpoint takes %2.")
                             : AlertText::tr("The disk is nearly full: %1 free, a checkpoint takes "
                                             "%2; make room.");
    return text.arg(bytesText(figures.freeBytes), bytesText(figures.checkpointBytes));
}

QString towerLossText(const AlertRecord& alert, const AlertFigures& figures)
{
    if (alert.tower < 0) { // of two, of which neither is the odd one
        return alert.isOver
                   ? AlertText::tr("The losses of the two towers agree again.")
                   : AlertText::tr("The losses of the two towers differ by %1 (last %2 steps): "
                                   "look at the data of both.")
                         .arg(percentText(figures.share), countText(figures.steps));
    }
    const QString tower = countText(alert.tower);
    if (alert.isOver) {
        return AlertText::tr("Tower %1: its loss is that of the others again.").arg(tower);
    }
    const QString text = figures.share > 0.0
                             ? AlertText::tr("Tower %1: its loss is %2 above that of the others "
                                             "(last %3 steps): look at its data.")
                             : AlertText::tr("Tower %1: its loss is %2 below that of the others "
                                             "(last %3 steps): look at its data.");
    return text.arg(tower, percentText(figures.share), countText(figures.steps));
}

QString slowTowerText(const AlertRecord& alert, const AlertFigures& figures)
{
    const QString tower = countText(alert.tower);
    return alert.isOver
               ? AlertText::tr("Tower %1: it keeps pace with the others again.").arg(tower)
               : AlertText::tr("Tower %1: it works %2 of a step longer than the others do on "
                               "average (last %3 steps): look at its device, and who else uses it.")
                     .arg(tower, percentText(figures.share), countText(figures.steps));
}

/// The engine's texts begin in the middle of a line.
QString sentence(const std::string& text)
{
    QString words = engineText(text);
    return words.replace(0, 1, words.left(1).toUpper()) + QLatin1Char('.');
}

} // namespace

QString alertText(const AlertRecord& alert)
{
    using Text = QString (*)(const AlertRecord&, const AlertFigures&);
    static const std::map<AlertKind, Text> texts{
        {AlertKind::Plateau, plateauText},     {AlertKind::Stuck, stuckText},
        {AlertKind::InputBound, inputText},    {AlertKind::DiskLow, diskText},
        {AlertKind::TowerLoss, towerLossText}, {AlertKind::SlowTower, slowTowerText}};
    const auto text = texts.find(alert.kind);
    return alert.figures && text != texts.end() ? text->second(alert, *alert.figures)
                                                : sentence(alert.text);
}

} // namespace lockstep::ui
