// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/preview/memory_text.h"

#include "engine/base.h"
#include "engine/device.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

namespace lockstep::ui {
namespace {

struct MemoryText
{
    Q_DECLARE_TR_FUNCTIONS(MemoryText)
};

QString lineOf(const DeviceNeed& need)
{
    const QLocale locale;
    const QString device = QString::fromStdString(need.device);
    const QString bytes = locale.formattedDataSize(static_cast<qint64>(need.bytes), 1);
    return need.availableBytes > 0
               ? MemoryText::tr("Needs about %1 of %2 on %3")
                     .arg(bytes, locale.formattedDataSize(need.availableBytes, 1), device)
               : MemoryText::tr("Needs about %1 on %2").arg(bytes, device);
}

} // namespace

std::shared_ptr<const MemoryNote> memoryNote(const RunConfig& given)
{
    try {
        RunConfig config = given;
        config.validate();
        if (config.algorithms.empty()) {
            config.algorithms = "first"; // untimed
        }
        MemoryNote note;
        QStringList lines;
        for (const DeviceNeed& need : planRunMemory(config)) {
            lines.append(lineOf(need));
            note.isTooMuch = note.isTooMuch
                             || (need.availableBytes > 0
                                 && need.bytes > static_cast<std::size_t>(need.availableBytes));
        }
        note.text = lines.join(QLatin1Char('\n'));
        return std::make_shared<const MemoryNote>(note);
    } catch (const std::exception&) {
        return nullptr;
    }
}

} // namespace lockstep::ui
