// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/base/language.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include <algorithm>
#include <array>

/// The resources of a static library are only there once it has asked for them, which Qt's macro
/// can do outside any namespace only.
static void loadTranslations()
{
    Q_INIT_RESOURCE(translations);
}

namespace lockstep::ui {
namespace {

/// Buttons and keys that Qt names: its own translations are not installed everywhere.
[[maybe_unused]] constexpr std::array kTextsOfQt{
    QT_TRANSLATE_NOOP("QPlatformTheme", "OK"),    QT_TRANSLATE_NOOP("QPlatformTheme", "Cancel"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Close"), QT_TRANSLATE_NOOP("QShortcut", "Ctrl"),
    QT_TRANSLATE_NOOP("QShortcut", "Shift"),      QT_TRANSLATE_NOOP("QShortcut", "Home"),
    QT_TRANSLATE_NOOP("QShortcut", "End"),        QT_TRANSLATE_NOOP("QShortcut", "PgUp"),
    QT_TRANSLATE_NOOP("QShortcut", "PgDown"),     QT_TRANSLATE_NOOP("QShortcut", "Left"),
    QT_TRANSLATE_NOOP("QShortcut", "Right"),      QT_TRANSLATE_NOOP("QShortcut", "Return"),
    QT_TRANSLATE_NOOP("QShortcut", "Backspace")};

constexpr QLatin1String kEnglish("en");

QString fileOf(const QString& code)
{
    return QStringLiteral(":/translations/lockstep_%1").arg(code);
}

/// As the build counted it; rounded down, so that nothing is called complete that is not.
int percentOf(const QString& code)
{
    QFile file(fileOf(code) + QStringLiteral(".json"));
    if (!file.open(QIODevice::ReadOnly)) {
        return 0;
    }
    const QJsonObject counts = QJsonDocument::fromJson(file.readAll()).object();
    const int texts = counts[QStringLiteral("texts")].toInt();
    return texts > 0 ? 100 * counts[QStringLiteral("translated")].toInt() / texts : 0;
}

void install(const QString& name, const QString& folder)
{
    auto* const translator = new QTranslator(QCoreApplication::instance());
    if (translator->load(name, folder)) {
        QCoreApplication::installTranslator(translator);
    } else {
        delete translator;
    }
}

} // namespace

std::vector<Language> languages()
{
    ::loadTranslations();
    std::vector<Language> all{{kEnglish, QStringLiteral("English"), 100}};
    const QStringList files =
        QDir(QStringLiteral(":/translations")).entryList({QStringLiteral("lockstep_*.qm")});
    for (const QString& file : files) {
        const QString code = file.section(QLatin1Char('_'), 1).section(QLatin1Char('.'), 0, 0);
        QString name = QLocale(code).nativeLanguageName();
        all.push_back({code, name.replace(0, 1, name.left(1).toUpper()), percentOf(code)});
    }
    return all;
}

QString languageFor(const QString& chosen)
{
    QStringList wanted{chosen};
    if (chosen == QLatin1String(kSystemLanguage)) {
        wanted = QLocale::system().uiLanguages();
    }
    const auto all = languages();
    for (const QString& name : wanted) {
        QString code = name.section(QLatin1Char('-'), 0, 0);
        if (std::ranges::find(all, code, &Language::code) != all.end()) {
            return code;
        }
    }
    return kEnglish;
}

void installLanguage(const QString& chosen)
{
    const QString code = languageFor(chosen);
    if (QLocale().language() != QLocale(code).language()) {
        QLocale::setDefault(QLocale(code)); // figures and dates speak it, too
    }
    if (code == kEnglish) {
        return;
    }
    // Qt's own texts, of standard buttons and file dialogs, where they are installed.
    install(QStringLiteral("qtbase_") + code, QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    install(fileOf(code) + QStringLiteral(".qm"), QString());
}

} // namespace lockstep::ui
