// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/commands/file_choice.h"

#include "bridge/base/file_names.h"

#include <QFileDialog>
#include <QRegularExpression>
#include <QSettings>

namespace lockstep::ui {
namespace {

/// For every file system, and for those who type it.
QString fileName(QString words)
{
    static const QRegularExpression unsafe(QStringLiteral("[/\\\\:*?\"<>|·[:cntrl:]]"));
    constexpr qsizetype kMostLetters = 120;
    words.replace(QChar(0x00D7), QLatin1Char('x')); // a multiplication sign
    words.replace(QChar(0x2212), QLatin1Char('-')); // a minus
    words.replace(QChar(0x00F7), QLatin1Char('-')); // a division sign
    return words.replace(unsafe, QStringLiteral(" ")).simplified().left(kMostLetters);
}

} // namespace

void chooseFile(
    QWidget& window, const FileQuestion& question,
    const std::function<void(const std::filesystem::path&)>& chosen)
{
    auto* const dialog = new QFileDialog(&window, question.title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (question.filter.isEmpty()) {
        dialog->setFileMode(QFileDialog::Directory);
        dialog->setOption(QFileDialog::ShowDirsOnly);
    } else {
        dialog->setNameFilter(question.filter);
        dialog->setFileMode(
            question.suffix.isEmpty() ? QFileDialog::ExistingFile : QFileDialog::AnyFile);
    }
    if (!question.suffix.isEmpty()) {
        dialog->setAcceptMode(QFileDialog::AcceptSave);
        dialog->setDefaultSuffix(question.suffix);
    }
    std::error_code ignored;
    if (std::filesystem::is_directory(question.start, ignored)) {
        dialog->setDirectory(toQString(question.start));
    } else if (!question.start.empty()) {
        dialog->setDirectory(toQString(question.start.parent_path()));
        dialog->selectFile(nameOf(question.start));
    }
    QObject::connect(dialog, &QFileDialog::fileSelected, &window, [chosen](const QString& name) {
        chosen(toPath(name));
    });
    dialog->open();
}

void chooseTarget(
    QWidget& window, QSettings& settings, QStandardPaths::StandardLocation usual,
    FileQuestion question, const std::function<void(const std::filesystem::path&)>& chosen)
{
    const QString key = usual == QStandardPaths::PicturesLocation
                            ? QStringLiteral("export/picture_folder")
                            : QStringLiteral("export/table_folder");
    QStringList folders{settings.value(key).toString(), QStandardPaths::writableLocation(usual)};
    folders.removeIf(
        [](const QString& folder) { return folder.isEmpty() || !QFileInfo(folder).isDir(); });
    question.start =
        toPath(folders.value(0, QDir::homePath())) / toPath(fileName(toQString(question.start)));
    chooseFile(window, question, [&settings, key, chosen](const std::filesystem::path& file) {
        settings.setValue(key, toQString(file.parent_path()));
        chosen(file);
    });
}

} // namespace lockstep::ui
