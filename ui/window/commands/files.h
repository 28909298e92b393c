// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QStandardPaths>

#include <filesystem>
#include <functional>
#include <string>

class QSettings;
class QWidget;

namespace lockstep::ui {

/// What a file or folder is, for whatever opens it.
struct FileKind
{
    enum class Kind {
        Other, ///< nothing that could be opened
        Machine,
        Run,
        Checkpoint,
        Weights, ///< of another program
        Configuration,
        Network,
        Picture,
        Pictures, ///< a folder of them, perhaps with a folder for each class
        DataSet,  ///< any other: an archive, a table, records, a layout of its own
    };

    Kind kind = Kind::Other;
    std::filesystem::path path; ///< of a run: its folder, where one of its own files was named
    std::string dataset = {};   ///< of Pictures and DataSet: value of the key `dataset.name`
    QString words = {};         ///< of Other: what it seems to be, as part of a sentence

    [[nodiscard]] bool isData() const { return kind == Kind::Pictures || kind == Kind::DataSet; }

    Q_DECLARE_TR_FUNCTIONS(lockstep::ui::FileKind)
};

/// By what lies there, not by name alone; of a folder its first files are looked at, of a file its
/// header at most. Never throws. Any thread.
FileKind kindOf(const std::filesystem::path& path);

/// What a person is asked for.
struct FileQuestion
{
    QString title;
    QString filter = {};              ///< "Checkpoints (*.safetensors)"; empty: a folder
    QString suffix = {};              ///< for a file that is to be written, without dot; else empty
    std::filesystem::path start = {}; ///< folder or proposed name; empty: the last one
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
