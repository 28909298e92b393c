// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/readers/scaling_store.h"

#include "engine/device.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSettings>
#include <QSysInfo>

#include <chrono>
#include <thread>

namespace lockstep::ui {
namespace {

QString settingsKey()
{
    return QStringLiteral("scaling/") + QSysInfo::machineHostName();
}

QJsonValue toJson(const std::optional<double>& value)
{
    return value ? QJsonValue(*value) : QJsonValue();
}

std::optional<double> optionalOf(const QJsonValue& value)
{
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

QJsonObject toJson(const ScalingLine& line)
{
    const ScalingLoss& loss = line.loss;
    return {
        {QStringLiteral("towers"), line.towers},
        {QStringLiteral("shares_devices"), line.turn.sharesDevices},
        {QStringLiteral("examples_per_second"), line.examplesPerSecond},
        {QStringLiteral("least"), line.least},
        {QStringLiteral("greatest"), line.greatest},
        {QStringLiteral("speed_up"), line.speedUp},
        {QStringLiteral("lost"), loss.total},
        {QStringLiteral("input"), loss.input},
        {QStringLiteral("averaging"), toJson(loss.averaging)},
        {QStringLiteral("update"), toJson(loss.update)},
        {QStringLiteral("waiting"), toJson(loss.waiting)},
        {QStringLiteral("rest"), loss.rest},
        {QStringLiteral("failure"), QString::fromStdString(line.failure)}};
}

ScalingLine lineOf(const QJsonObject& json)
{
    const auto number = [&](const char* key) { return json[QLatin1String(key)].toDouble(); };
    const auto optional = [&](const char* key) { return optionalOf(json[QLatin1String(key)]); };
    ScalingLine line;
    line.towers = json[QStringLiteral("towers")].toInt();
    line.turn.sharesDevices = json[QStringLiteral("shares_devices")].toBool();
    line.examplesPerSecond = number("examples_per_second");
    line.least = number("least");
    line.greatest = number("greatest");
    line.speedUp = number("speed_up");
    line.efficiency = line.towers > 0 ? line.speedUp / line.towers : 0.0;
    line.loss = {number("lost"),     number("input"),     optional("averaging"),
                 optional("update"), optional("waiting"), number("rest")};
    line.failure = json[QStringLiteral("failure")].toString().toStdString();
    return line;
}

QJsonObject toJson(const KeptScaling& result)
{
    const ScalingReport& report = result.report;
    QJsonArray lines;
    for (const ScalingLine& line : report.lines) {
        lines.append(toJson(line));
    }
    QJsonArray leftOut;
    for (const int towers : report.leftOut) {
        leftOut.append(towers);
    }
    return {
        {QStringLiteral("time"), result.time.toString(Qt::ISODate)},
        {QStringLiteral("model"), QString::fromStdString(report.model)},
        {QStringLiteral("device"), QString::fromStdString(report.device)},
        {QStringLiteral("precision"), QString::fromStdString(report.precision)},
        {QStringLiteral("is_global_fixed"), report.fix == ScalingFix::GlobalBatch},
        {QStringLiteral("batch"), static_cast<double>(report.batch)},
        {QStringLiteral("threads_per_tower"), report.threadsPerTower},
        {QStringLiteral("processors"), report.processors},
        {QStringLiteral("seconds"), report.seconds},
        {QStringLiteral("serial_share"), toJson(report.serialShare)},
        {QStringLiteral("left_out"), leftOut},
        {QStringLiteral("lines"), lines}};
}

constexpr std::chrono::milliseconds kLook{300};

} // namespace

void keepScaling(QSettings& settings, const KeptScaling& result)
{
    settings.setValue(settingsKey(), QJsonDocument(toJson(result)).toJson(QJsonDocument::Compact));
}

std::optional<KeptScaling> keptScaling(const QSettings& settings)
{
    const QJsonObject json =
        QJsonDocument::fromJson(settings.value(settingsKey()).toByteArray()).object();
    const auto text = [&](const char* key) {
        return json[QLatin1String(key)].toString().toStdString();
    };
    KeptScaling result;
    result.time = QDateTime::fromString(json[QStringLiteral("time")].toString(), Qt::ISODate);
    ScalingReport& report = result.report;
    report.model = text("model");
    report.device = text("device");
    report.precision = text("precision");
    report.fix = json[QStringLiteral("is_global_fixed")].toBool() ? ScalingFix::GlobalBatch
                                                                  : ScalingFix::BatchPerTower;
    report.batch = json[QStringLiteral("batch")].toInteger();
    report.threadsPerTower = json[QStringLiteral("threads_per_tower")].toInt();
    report.processors = json[QStringLiteral("processors")].toInt();
    report.seconds = json[QStringLiteral("seconds")].toDouble();
    report.serialShare = optionalOf(json[QStringLiteral("serial_share")]);
    for (const auto& towers : json[QStringLiteral("left_out")].toArray()) {
        report.leftOut.push_back(towers.toInt());
    }
    for (const auto& line : json[QStringLiteral("lines")].toArray()) {
        report.lines.push_back(lineOf(line.toObject()));
    }
    const bool isWhole =
        result.time.isValid() && report.lines.size() >= 2 && report.lines.front().towers == 1;
    return isWhole ? std::optional(result) : std::nullopt;
}

double loadOfProcessors()
{
    HostMeter meter;
    static_cast<void>(meter.read()); // it tells the load between two readings
    std::this_thread::sleep_for(kLook);
    return meter.read().load;
}

} // namespace lockstep::ui
