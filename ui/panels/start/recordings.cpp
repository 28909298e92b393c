// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/start/recordings.h"

#include "engine/base.h"
#include "engine/data.h"
#include "theme/palette.h"

#include <QFile>
#include <QPainter>
#include <QTransform>

#include <algorithm>
#include <utility>

// A resource of a static library is linked only if it is asked for, outside of any namespace.
static void linkResource()
{
    Q_INIT_RESOURCE(start);
}

namespace lockstep::ui {
namespace {

constexpr double kMicrosecond = 1e-6;
constexpr std::size_t kOfStep = 5;  // columns: seconds of the step and of what it consists of
constexpr std::size_t kOfTower = 5; // its loss, and the seconds of its phases
constexpr int kBetweenPictures = 4; // between pictures

/// The cells of each line behind the line of names.
std::vector<QList<QByteArray>> linesOf(const char* name)
{
    linkResource();
    QFile file(QStringLiteral(":/start/") + QLatin1String(name));
    require(file.open(QIODevice::ReadOnly), "a recording is missing from the resources");
    file.readLine();
    std::vector<QList<QByteArray>> lines;
    while (!file.atEnd()) {
        lines.push_back(file.readLine().trimmed().split(','));
    }
    return lines;
}

/// Grey, with what is marked in its colour, lying on its side.
QImage markedPicture(const ExampleView& example)
{
    QImage picture(kDefectWidth, kDefectHeight, QImage::Format_RGB32);
    const QRgb mark = labelColor().rgb();
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            const auto at =
                static_cast<std::size_t>(y) * kDefectWidth + static_cast<std::size_t>(x);
            const int grey = example.pixels[at];
            picture.setPixel(x, y, example.mask[at] != 0 ? mark : qRgb(grey, grey, grey));
        }
    }
    return picture.transformed(QTransform().rotate(90.0));
}

} // namespace

std::vector<StepRecord> demonstrationSteps()
{
    std::vector<StepRecord> steps;
    double wall = 0.0;
    for (const QList<QByteArray>& cells : linesOf("demonstration.csv")) {
        const std::size_t towers = (static_cast<std::size_t>(cells.size()) - kOfStep) / kOfTower;
        qsizetype next = 0;
        const auto seconds = [&] { return kMicrosecond * cells[next++].toDouble(); };
        StepRecord step;
        step.step = static_cast<std::int64_t>(steps.size());
        step.stepSeconds = seconds();
        step.inputSeconds = seconds();
        step.computeSeconds = seconds();
        step.averagingSeconds = seconds();
        step.updateSeconds = seconds();
        for (std::size_t i = 0; i < towers; ++i) {
            TowerRecord& tower = step.towers.emplace_back();
            tower.loss = cells[next++].toDouble();
            tower.startSeconds = seconds();
            tower.copySeconds = seconds();
            tower.forwardSeconds = seconds();
            tower.backwardSeconds = seconds();
            step.lossMean += tower.loss / static_cast<double>(towers);
        }
        step.lossLast = step.towers.back().loss;
        step.wallSeconds = wall += step.stepSeconds;
        steps.push_back(std::move(step));
    }
    return steps;
}

std::vector<std::vector<SmallCurvePoint>> curvesOfPreset(const QString& preset)
{
    std::vector<std::vector<SmallCurvePoint>> curves;
    for (const QList<QByteArray>& cells : linesOf("curves.csv")) {
        if (cells.front() == preset.toLatin1()) {
            std::vector<SmallCurvePoint>& curve = curves.emplace_back();
            for (qsizetype i = 1; i < cells.size(); ++i) {
                curve.push_back({static_cast<double>(i), cells[i].toDouble()});
            }
        }
    }
    return curves;
}

QImage defectPictures(int count)
{
    DefectSettings settings;
    settings.examples = 2 * std::int64_t{count};
    const auto surfaces = openSyntheticDefects(Split::Train, settings);
    constexpr int kWidth = kDefectHeight; // they lie on their sides
    constexpr int kHeight = kDefectWidth;
    QImage all(
        count * (kWidth + kBetweenPictures) - kBetweenPictures, kHeight,
        QImage::Format_ARGB32_Premultiplied);
    all.fill(Qt::transparent);
    QPainter painter(&all);
    for (int i = 0; i < count; ++i) {
        // Every second one has a crack.
        painter.drawImage(
            i * (kWidth + kBetweenPictures), 0, markedPicture(surfaces->example(2 * i + 1)));
    }
    return all;
}

} // namespace lockstep::ui
