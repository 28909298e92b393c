// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/commands/files.h"

#include "bridge/base/file_names.h"
#include "bridge/remote/machine_connection.h"
#include "engine/data.h"
#include "engine/gather.h"
#include "engine/network.h"
#include "engine/storage.h"

#include <QFileDialog>
#include <QMimeDatabase>
#include <QRegularExpression>
#include <QSettings>

namespace lockstep::ui {
namespace {

namespace fs = std::filesystem;
using Kind = FileKind::Kind;

/// Nothing that could be opened; what it seems to be, as part of a sentence.
FileKind other(const fs::path& path, const QString& words)
{
    return {Kind::Other, path, {}, words};
}

bool isRun(const fs::path& folder)
{
    std::error_code ignored;
    return RunFolder::isRun(folder) || fs::exists(RunFolder::storeFileOf(folder), ignored)
           || RunGatherer::isRecorded(folder);
}

FileKind kindOfFolder(const fs::path& folder)
{
    if (isRun(folder)) {
        return {Kind::Run, folder};
    }
    if (looksLikeCifar10(folder)) {
        return {Kind::DataSet, folder, "cifar10"};
    }
    constexpr int kDeepest = 3; // split/class/picture, and one more
    constexpr int kMost = 5000; // a person waits
    static const QRegularExpression record(QStringLiteral("\\.tfrecords?$|-\\d+-of-\\d+$"));
    static const QRegularExpression mask(
        QStringLiteral("(_label|_mask|_gt)\\.\\w+$|/(masks|labels|annotations|gt|ground_truth)/"),
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression picture(
        QStringLiteral("\\.(jpe?g|png|bmp)$"), QRegularExpression::CaseInsensitiveOption);
    bool isPictures = false;
    std::error_code error;
    fs::recursive_directory_iterator each(
        folder, fs::directory_options::skip_permission_denied, error);
    for (int seen = 0; !error && each != fs::end(each) && seen < kMost; ++seen) {
        const QString name = QLatin1Char('/') + toQString(each->path().lexically_relative(folder));
        if (each.depth() == kDeepest) {
            each.disable_recursion_pending();
        }
        if (record.match(name).hasMatch()) {
            return {Kind::DataSet, folder, "tfrecord"};
        }
        if (picture.match(name).hasMatch()) {
            if (mask.match(name).hasMatch()) {
                return {Kind::DataSet, folder, "masked_folder"};
            }
            isPictures = true;
        }
        each.increment(error);
    }
    return isPictures ? FileKind{Kind::Pictures, folder, "image_folder"}
                      : other(folder, FileKind::tr("a folder without a run or pictures"));
}

/// Weights of others have names and shapes alone.
Kind kindOfTensors(const fs::path& file)
{
    try {
        return readSafetensorsHeader(file).metadata.contains("configuration") ? Kind::Checkpoint
                                                                              : Kind::Weights;
    } catch (const std::exception&) {
        return Kind::Checkpoint; // who opens it says what is wrong
    }
}

FileKind kindOfFile(const fs::path& file)
{
    const auto endsIn = [ending = toQString(file.extension()).toLower()](const char* endings) {
        return QString::fromLatin1(endings).split(QLatin1Char(' ')).contains(ending);
    };
    if (endsIn(".toml")) {
        return {describesNetwork(file) ? Kind::Network : Kind::Configuration, file};
    }
    if (endsIn(".safetensors")) {
        return {kindOfTensors(file), file};
    }
    if (endsIn(".onnx")) {
        return other(file, FileKind::tr("an ONNX model, which is written here, not read"));
    }
    if (endsIn(".pth .pt .ckpt")) {
        return other(
            file,
            FileKind::tr(
                "a pickle of PyTorch, which may run any program: save its weights as safetensors"));
    }
    if (endsIn(".zip .tar .gz .tgz .csv")) {
        const bool isMasked = nameOf(file).startsWith(QLatin1String("Kolektor"));
        return {Kind::DataSet, file, isMasked ? "masked_folder" : "image_folder"};
    }
    const QMimeType type = QMimeDatabase().mimeTypeForFile(toQString(file));
    for (const char* const picture : {"image/jpeg", "image/png", "image/bmp"}) {
        if (type.inherits(QLatin1String(picture))) {
            return {Kind::Picture, file};
        }
    }
    return other(file, FileKind::tr("a file of another kind (%1)").arg(type.comment()));
}

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

FileKind kindOf(const fs::path& path)
{
    std::error_code ignored;
    const fs::path around = path.parent_path();
    if (isRemoteAddress(path.string())) {
        return {Kind::Machine, path};
    }
    if (fs::is_directory(path, ignored)) {
        return kindOfFolder(path);
    }
    if (!fs::exists(path, ignored)) {
        return other(path, FileKind::tr("nothing: it is not there"));
    }
    const bool isOwn =
        path == RunFolder::storeFileOf(around) || path == RunFolder::configurationFileOf(around);
    return isOwn && fs::exists(RunFolder::storeFileOf(around), ignored)
               ? FileKind{Kind::Run, around}
               : kindOfFile(path);
}

void chooseFile(
    QWidget& window, const FileQuestion& question,
    const std::function<void(const fs::path&)>& chosen)
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
    if (fs::is_directory(question.start, ignored)) {
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
    FileQuestion question, const std::function<void(const fs::path&)>& chosen)
{
    const QString key = usual == QStandardPaths::PicturesLocation
                            ? QStringLiteral("export/picture_folder")
                            : QStringLiteral("export/table_folder");
    QStringList folders{settings.value(key).toString(), QStandardPaths::writableLocation(usual)};
    folders.removeIf(
        [](const QString& folder) { return folder.isEmpty() || !QFileInfo(folder).isDir(); });
    question.start =
        toPath(folders.value(0, QDir::homePath())) / toPath(fileName(toQString(question.start)));
    chooseFile(window, question, [&settings, key, chosen](const fs::path& file) {
        settings.setValue(key, toQString(file.parent_path()));
        chosen(file);
    });
}

} // namespace lockstep::ui
