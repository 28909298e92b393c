// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStandardPaths>
#include <QString>

#include <filesystem>
#include <functional>

class QSettings;
class QWidget;

namespace lockstep::ui {

/// What a person is asked for.
struct FileQuestion
{
    QString title;
    QString filter;              ///< "Checkpoints (*.safetensors)"; empty: a folder
    std::filesystem::path start; ///< folder or proposed name; empty: the last one
    QString suffix;              ///< for a file that is to be written, without dot; else empty
};

/// Asks for a file or folder without waiting: `chosen` is called with it, in the GUI thread, unless
/// the person cancels. The window stays alive meanwhile and so does a run.
void chooseFile(
    QWidget& window, const FileQuestion& question,
    const std::function<void(const std::filesystem::path&)>& chosen);

/// A file of that name in the folder of the last one of its kind, see keepFolder(), or else in the
/// usual folder. What no file's name should have is left out: "a · b: c" becomes "a b c".
std::filesystem::path proposedFile(
    const QSettings& settings, QStandardPaths::StandardLocation usual, const QString& name);
/// The folder of this file is where the next of its kind will be proposed.
void keepFolder(
    QSettings& settings, QStandardPaths::StandardLocation usual, const std::filesystem::path& file);

} // namespace lockstep::ui
