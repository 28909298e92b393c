// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/validation/presets.h"

#include "bridge/base/file_names.h"
#include "bridge/runs/run_title.h"
#include "engine/base.h"
#include "engine/storage.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QUrl>

#include <array>

// A resource of a static library is linked only if it is asked for, outside of any namespace.
static void linkResource()
{
    Q_INIT_RESOURCE(presets);
}

namespace lockstep::ui {
namespace {

struct Entry
{
    const char* name;
    const char* title;
    const char* description;
};

// The texts are those of the files' comments; they stand here to be translated.
constexpr auto kEntries = std::to_array<Entry>(
    {{"first_look", QT_TRANSLATE_NOOP("Presets", "First look"),
      QT_TRANSLATE_NOOP(
          "Presets", "2 towers × 32 on generated pictures, 2,000 steps: needs no data")},
     {"poisoned_tower", QT_TRANSLATE_NOOP("Presets", "A poisoned tower"),
      QT_TRANSLATE_NOOP(
          "Presets", "4 towers × 32 on generated pictures, one with random labels, 1,000 steps: "
                     "needs no data")},
     {"quick_cifar10", QT_TRANSLATE_NOOP("Presets", "Quick CIFAR-10"),
      QT_TRANSLATE_NOOP("Presets", "2 towers × 128 on CIFAR-10, 3,000 steps")},
     {"article_cifar10", QT_TRANSLATE_NOOP("Presets", "The article's run"),
      QT_TRANSLATE_NOOP("Presets", "4 towers × 128 on CIFAR-10, 700,000 steps")},
     {"resnet20_cifar10", QT_TRANSLATE_NOOP("Presets", "ResNet-20 on CIFAR-10"),
      QT_TRANSLATE_NOOP("Presets", "2 towers × 64 on CIFAR-10, 40 epochs")},
     {"segdecnet_defects", QT_TRANSLATE_NOOP("Presets", "SegDecNet, generated defects"),
      QT_TRANSLATE_NOOP(
          "Presets", "2 towers × 1 on generated cracks, 256 × 128 pixels, 250 + 150 steps: "
                     "needs no data")},
     {"segdecnet_kolektorsdd", QT_TRANSLATE_NOOP("Presets", "SegDecNet, KolektorSDD (paper)"),
      QT_TRANSLATE_NOOP(
          "Presets", "1 tower × 1 on KolektorSDD, 1408 × 512 pixels, 6,600 + 6,600 steps")},
     {"inception_imagenette", QT_TRANSLATE_NOOP("Presets", "Inception v3, ten classes"),
      QT_TRANSLATE_NOOP(
          "Presets", "2 towers × 8 on a folder of photographs, 139 × 139 pixels, 2,000 steps: "
                     "for processors")},
     {"inception_flowers", QT_TRANSLATE_NOOP("Presets", "Inception v3, flowers (fine-tuning)"),
      QT_TRANSLATE_NOOP(
          "Presets", "2 towers × 16 on five kinds of flowers in TFRecord files, from the weights "
                     "of another run, 2,000 steps")},
     {"inception_imagenet", QT_TRANSLATE_NOOP("Presets", "Inception v3, ImageNet"),
      QT_TRANSLATE_NOOP(
          "Presets", "8 towers × 32 on ImageNet in TFRecord files, 299 × 299 pixels, 500,000 "
                     "steps")}});

/// Beside the runs.
QDir ownFolder()
{
    return toQString(RunFolder::defaultRunsFolder().parent_path() / "presets");
}

QString ownFile(const QString& title)
{
    return ownFolder().filePath(
        QString::fromLatin1(QUrl::toPercentEncoding(title.simplified(), " "))
        + QStringLiteral(".toml"));
}

} // namespace

std::vector<Preset> presets()
{
    linkResource();
    std::vector<Preset> all;
    for (const Entry& entry : kEntries) {
        Preset& preset = all.emplace_back();
        preset.name = QString::fromLatin1(entry.name);
        preset.title = QCoreApplication::translate("Presets", entry.title);
        preset.description = QCoreApplication::translate("Presets", entry.description);
        QFile file(QStringLiteral(":/presets/%1.toml").arg(preset.name));
        require(file.open(QIODevice::ReadOnly), "a preset is missing from the resources");
        parseConfig(preset.config, file.readAll().toStdString(), file.fileName().toStdString());
    }
    return all;
}

std::vector<Preset> ownPresets()
{
    std::vector<Preset> all;
    const QDir folder = ownFolder();
    for (const QString& file : folder.entryList({QStringLiteral("*.toml")}, QDir::Files)) {
        try {
            RunConfig config;
            readConfigFile(config, toPath(folder.filePath(file)));
            const QString name = QFileInfo(file).completeBaseName();
            const QString title = QString::fromUtf8(QByteArray::fromPercentEncoding(name.toUtf8()));
            all.push_back({name, title, describedTitle(config), config, true});
        } catch (const Error&) { // of another version, or not ours
            continue;
        }
    }
    return all;
}

bool hasOwnPreset(const QString& title)
{
    return QFile::exists(ownFile(title));
}

void saveOwnPreset(const QString& title, const RunConfig& config)
{
    ownFolder().mkpath(QStringLiteral("."));
    QSaveFile file(ownFile(title));
    const QByteArray text = QByteArray::fromStdString(toToml(config));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit()) {
        fail(
            ErrorCode::Io, "{}: {}", file.fileName().toStdString(),
            file.errorString().toStdString());
    }
}

void removeOwnPreset(const Preset& preset)
{
    QFile file(ownFolder().filePath(preset.name + QStringLiteral(".toml")));
    if (!file.remove()) {
        fail(
            ErrorCode::Io, "{}: {}", file.fileName().toStdString(),
            file.errorString().toStdString());
    }
}

} // namespace lockstep::ui
