// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QList>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <filesystem>

namespace lockstep::test {

/// How a run of lockstep-train ended and what it said.
struct Outcome
{
    bool isExited = false; ///< false: it did not start, hung or was killed by a signal
    int exitCode = -1;
    QByteArray out;
    QByteArray err;

    /// Standard output, a JSON object from each line.
    [[nodiscard]] QList<QJsonObject> events() const
    {
        QList<QJsonObject> objects;
        for (const QByteArray& line : out.split('\n')) {
            if (!line.isEmpty()) {
                objects.append(QJsonDocument::fromJson(line).object());
            }
        }
        return objects;
    }
    /// The events of one kind.
    [[nodiscard]] QList<QJsonObject> events(const QString& kind) const
    {
        QList<QJsonObject> chosen;
        for (const QJsonObject& object : events()) {
            if (object["event"].toString() == kind) {
                chosen.append(object);
            }
        }
        return chosen;
    }
    /// For a message where a test fails.
    [[nodiscard]] QByteArray text() const
    {
        return "exit " + QByteArray::number(exitCode) + "\n" + out + err;
    }
};

inline QString toText(const std::filesystem::path& path)
{
    return QString::fromStdString(path.string());
}

/// Runs the real program to its end.
inline Outcome runProgram(const QStringList& arguments)
{
    constexpr int kMilliseconds = 240'000;
    QProcess process;
    process.start(LOCKSTEP_TRAIN_PROGRAM, arguments);
    const bool isDone = process.waitForFinished(kMilliseconds);
    return {
        isDone && process.exitStatus() == QProcess::NormalExit, process.exitCode(),
        process.readAllStandardOutput(), process.readAllStandardError()};
}

/// The smallest training there is: the small model on a folder of a few pictures in the CIFAR-10
/// layout, two towers of 8.
inline QStringList smallTraining(
    const std::filesystem::path& data, const std::filesystem::path& run, int steps)
{
    return {
        "train",
        "--model",
        LOCKSTEP_SMALL_MODEL,
        "--dataset",
        "cifar10",
        "--data",
        toText(data),
        "--towers",
        "2",
        "--batch-per-tower",
        "8",
        "--device",
        "cpu",
        "--steps",
        QString::number(steps),
        "--seed",
        "1",
        "--run",
        toText(run)};
}

} // namespace lockstep::test
