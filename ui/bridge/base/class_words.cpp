// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/base/class_words.h"

#include <QFile>
#include <QHash>

// A resource of a static library is linked only if it is asked for, outside of any namespace.
static void linkClasses()
{
    Q_INIT_RESOURCE(presets);
}

namespace lockstep::ui {
namespace {

QHash<QString, QString> readTable()
{
    ::linkClasses();
    QHash<QString, QString> words;
    QFile file(QStringLiteral(":/classes/imagenet.tsv"));
    if (file.open(QIODevice::ReadOnly)) {
        while (!file.atEnd()) {
            const QString line = QString::fromUtf8(file.readLine()).trimmed();
            words.insert(line.section(QLatin1Char('\t'), 0, 0), line.section(QLatin1Char('\t'), 1));
        }
    }
    return words;
}

} // namespace

QString classWords(const std::string& name)
{
    static const QHash<QString, QString> words = readTable();
    const QString own = QString::fromStdString(name);
    return words.value(own, own);
}

} // namespace lockstep::ui
