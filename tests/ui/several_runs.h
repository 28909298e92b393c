// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/program.h"
#include "engine/storage.h"

#include <QStringList>

#include <csignal>
#include <stdexcept>

namespace lockstep::ui {

/// The place where runs lie by default, made.
inline std::filesystem::path runsFolder()
{
    std::filesystem::path folder = RunFolder::defaultRunsFolder();
    std::filesystem::create_directories(folder);
    return folder;
}

/// Trains the small model on generated pictures, 2 towers of 8, in the default place, by the real
/// lockstep-train; returns the run.
inline std::filesystem::path trainRun(const char* name, int steps, const QStringList& more = {})
{
    std::filesystem::path folder = runsFolder() / name;
    QStringList arguments{
        QStringLiteral("train"),   QStringLiteral("--model"), QStringLiteral(LOCKSTEP_SMALL_MODEL),
        QStringLiteral("--steps"), QString::number(steps),    QStringLiteral("--run"),
        test::toText(folder)};
    if (!more.contains(QStringLiteral("--batch-per-tower"))) {
        arguments << QStringLiteral("--batch-per-tower") << QStringLiteral("8");
    }
    const test::Outcome outcome = test::runProgram(arguments + more);
    if (outcome.exitCode != 0) {
        throw std::runtime_error(outcome.text().toStdString());
    }
    return folder;
}

/// `--set key=value`
inline QStringList setting(const char* key, const char* value)
{
    return {
        QStringLiteral("--set"),
        QStringLiteral("%1=%2").arg(QString::fromLatin1(key), QString::fromLatin1(value))};
}

} // namespace lockstep::ui
