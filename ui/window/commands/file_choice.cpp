// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/commands/file_choice.h"

#include "bridge/base/file_names.h"

#include <QFileDialog>

namespace lockstep::ui {

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

} // namespace lockstep::ui
