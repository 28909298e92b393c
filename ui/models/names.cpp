// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/names.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep::ui {
namespace {

using Title = std::pair<const char*, const char*>;

constexpr std::array kModels{
    Title{"cifar10", QT_TRANSLATE_NOOP("Names", "CIFAR-10 network")},
    Title{"segdecnet", "SegDecNet"}, Title{"inception_v3", "Inception v3"}};
constexpr std::array kDatasets{
    Title{"cifar10", "CIFAR-10"},
    Title{"kolektorsdd", "KolektorSDD"},
    Title{"synthetic", QT_TRANSLATE_NOOP("Names", "generated pictures")},
    Title{"synthetic_defects", QT_TRANSLATE_NOOP("Names", "generated defects")},
    Title{"image_folder", QT_TRANSLATE_NOOP("Names", "folder of pictures")},
    Title{"tfrecord", QT_TRANSLATE_NOOP("Names", "TFRecord files")}};

template<std::size_t count>
QString titleIn(const std::array<Title, count>& titles, const QString& name)
{
    const auto found = std::ranges::find(
        titles, name, [](const Title& title) { return QLatin1String(title.first); });
    return found == titles.end() ? name : QCoreApplication::translate("Names", found->second);
}

} // namespace

QString modelTitle(const QString& model)
{
    return titleIn(kModels, QFileInfo(model).completeBaseName());
}

QString datasetTitle(const QString& dataset, const QString& path)
{
    const bool isOwn =
        dataset == QLatin1String("image_folder") || dataset == QLatin1String("tfrecord");
    return isOwn && !path.isEmpty() ? QDir(path).dirName() : titleIn(kDatasets, dataset);
}

QString deviceTitle(const QString& device)
{
    const QString gpu = QStringLiteral("cuda:");
    return device == QLatin1String("cpu") ? QCoreApplication::translate("Names", "CPU")
           : device.startsWith(gpu)
               ? QCoreApplication::translate("Names", "GPU %1").arg(device.mid(gpu.size()))
               : device;
}

} // namespace lockstep::ui
