// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/library_table.h"

#include "engine/base.h"
#include "theme/icons.h"
#include "widgets/bars/quiet_table.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QPushButton>
#include <QSet>

#include <archive.h>
#include <curl/curl.h>
#include <hwy/highway.h>
#include <nlohmann/json.hpp>
#include <openssl/crypto.h>
#include <png.h>
#include <sqlite3.h>
#include <toml++/toml.h>
#include <zlib.h>

namespace lockstep::ui {
namespace {

constexpr int kLeastColumn = 92;

QString dotted(int major, int minor, int patch)
{
    return QStringLiteral("%1.%2.%3").arg(major).arg(minor).arg(patch);
}

/// From "oneDNN 2.6.3".
LibraryVersion deviceLibrary(const DeviceRow& device)
{
    const auto space = device.library.lastIndexOf(QLatin1Char(' '));
    const bool isOneDnn = device.library.startsWith(QStringLiteral("oneDNN"));
    return {
        device.library.left(space), space < 0 ? QString() : device.library.mid(space + 1),
        LibraryTable::tr("Training on %1").arg(device.name),
        isOneDnn ? QStringLiteral("Apache-2.0") : QString()};
}

void addOtherLibraries(std::vector<LibraryVersion>& libraries)
{
    const auto add = [&](const char* name, const QString& version, const QString& use,
                         const QString& licence) {
        libraries.push_back({QString::fromLatin1(name), version, use, licence});
    };
    const auto own = [](const char* version) { return QString::fromLatin1(version); };
    const QString mit = QStringLiteral("MIT");
    const QString apache = QStringLiteral("Apache-2.0");
    add("Highway", dotted(HWY_MAJOR, HWY_MINOR, HWY_PATCH), LibraryTable::tr("Vector arithmetic"),
        apache);
    add("SQLite", own(sqlite3_libversion()), LibraryTable::tr("The steps of a run"),
        LibraryTable::tr("Public domain"));
    add("zlib", own(zlibVersion()), LibraryTable::tr("Checksums of checkpoints"),
        QStringLiteral("Zlib"));
    add("libcurl", own(curl_version_info(CURLVERSION_NOW)->version), LibraryTable::tr("Downloads"),
        QStringLiteral("curl"));
    const int archive = archive_version_number();
    add("libarchive", dotted(archive / 1'000'000, archive / 1000 % 1000, archive % 1000),
        LibraryTable::tr("Unpacking"), QStringLiteral("BSD-2-Clause"));
    add("libjpeg-turbo", own(LOCKSTEP_JPEG_VERSION), LibraryTable::tr("JPEG images"),
        QStringLiteral("BSD-3-Clause"));
    add("libpng", own(png_get_libpng_ver(nullptr)), LibraryTable::tr("PNG images"),
        QStringLiteral("libpng-2.0"));
    add("stb_image", own(LOCKSTEP_STB_IMAGE_VERSION), LibraryTable::tr("BMP images"), mit);
    add("OpenSSL", own(OpenSSL_version(OPENSSL_VERSION_STRING)),
        LibraryTable::tr("Checksums of downloads"), apache);
    add("toml++", dotted(TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH),
        LibraryTable::tr("Configurations and models"), mit);
    add("JSON for Modern C++",
        dotted(
            NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH),
        LibraryTable::tr("Headers of checkpoints"), mit);
    add("fmt", dotted(FMT_VERSION / 10'000, FMT_VERSION / 100 % 100, FMT_VERSION % 100),
        LibraryTable::tr("Messages"), mit);
}

} // namespace

QString programVersion()
{
    return QStringLiteral("%1 (%2)").arg(
        QString::fromStdString(versionText()), QString::fromStdString(revisionText()));
}

QString compilerVersion()
{
#ifdef __clang__
    return QStringLiteral("Clang %1")
        .arg(dotted(__clang_major__, __clang_minor__, __clang_patchlevel__));
#else
    return QStringLiteral("GCC %1").arg(dotted(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__));
#endif
}

std::vector<LibraryVersion> libraryVersions(const std::vector<DeviceRow>& devices)
{
    const QString qt = QString::fromLatin1(qVersion());
    std::vector<LibraryVersion> libraries{
        {QStringLiteral("Qt"), qt, LibraryTable::tr("The window"), QStringLiteral("LGPL-3.0-only")},
        {QStringLiteral("Qt Charts"), qt, LibraryTable::tr("The charts"),
         QStringLiteral("GPL-3.0-only")}};
    QSet<QString> known;
    for (const DeviceRow& device : devices) {
        if (!device.library.isEmpty() && !known.contains(device.library)) {
            known.insert(device.library);
            libraries.push_back(deviceLibrary(device));
        }
    }
    addOtherLibraries(libraries);
    return libraries;
}

LibraryTable::LibraryTable(const std::vector<LibraryVersion>& libraries, QWidget* parent)
    : QTableWidget(static_cast<int>(libraries.size()), ColumnCount, parent)
{
    setHorizontalHeaderLabels({tr("Library"), tr("Version"), tr("Used for"), tr("Licence")});
    setAccessibleName(tr("Libraries"));
    for (int row = 0; row < rowCount(); ++row) {
        const auto& [name, version, use, licence] = libraries[static_cast<std::size_t>(row)];
        int column = 0;
        for (const QString& text : {name, version, use, licence}) {
            auto* item = new QTableWidgetItem(text);
            item->setToolTip(text);
            setItem(row, column++, item);
        }
    }
    setTableLook(*this, Use);
}

QSize LibraryTable::sizeHint() const
{
    const int rows = verticalHeader()->length() + horizontalHeader()->sizeHint().height();
    return {QTableWidget::sizeHint().width(), rows + 2 * frameWidth()};
}

void setTableLook(QTableView& table, int stretchedColumn)
{
    makeQuiet(table);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setAlternatingRowColors(true);
    table.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table.horizontalHeader()->setMinimumSectionSize(kLeastColumn);
    table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table.horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table.horizontalHeader()->setSectionResizeMode(stretchedColumn, QHeaderView::Stretch);
}

void addCloseButtons(
    QBoxLayout& layout, const QString& copyToolTip, const std::function<QString()>& textToCopy)
{
    auto* const dialog = qobject_cast<QDialog*>(layout.parentWidget());
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    if (textToCopy) {
        QPushButton* const copy =
            buttons->addButton(LibraryTable::tr("&Copy"), QDialogButtonBox::ActionRole);
        copy->setIcon(icon(IconName::Copy));
        copy->setToolTip(copyToolTip);
        copy->setObjectName(QStringLiteral("copy"));
        QObject::connect(copy, &QPushButton::clicked, dialog, [textToCopy] {
            QGuiApplication::clipboard()->setText(textToCopy());
        });
    }
    layout.addWidget(buttons);
    buttons->button(QDialogButtonBox::Close)->setFocus();
}

} // namespace lockstep::ui
