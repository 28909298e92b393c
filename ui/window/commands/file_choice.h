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

/// The same for a file that is to be written and for which `question.start` is a name: it is
/// proposed in the folder of the last one of its kind, or else in the usual folder. What no file's
/// name should have is left out: "a · b: c" becomes "a b c".
void chooseTarget(
    QWidget& window, QSettings& settings, QStandardPaths::StandardLocation usual,
    FileQuestion question, const std::function<void(const std::filesystem::path&)>& chosen);

} // namespace lockstep::ui
