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
        "train", "--model",           LOCKSTEP_SMALL_MODEL, "--steps", QString::number(steps),
        "--run", test::toText(folder)};
    if (!more.contains("--batch-per-tower")) {
        arguments << "--batch-per-tower"
                  << "8";
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
    return {"--set", QString("%1=%2").arg(key, value)};
}

} // namespace lockstep::ui
