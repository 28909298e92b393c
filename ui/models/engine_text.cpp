// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/engine_text.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace lockstep::ui {
namespace {

using Title = std::pair<const char*, const char*>;

constexpr std::array kModels{
    Title{"cifar10", QT_TRANSLATE_NOOP("Names", "CIFAR-10 network")},
    Title{"shapes", QT_TRANSLATE_NOOP("Names", "shapes network")},
    Title{"segdecnet", "SegDecNet"},
    Title{"inception_v3", "Inception v3"},
    Title{"resnet18", "ResNet-18"},
    Title{"resnet20", "ResNet-20"},
    Title{"resnet50", "ResNet-50"},
    Title{"resnet56", "ResNet-56"},
    Title{"mobilenet_v3_small", "MobileNet v3 small"}};
constexpr std::array kDatasets{
    Title{"cifar10", "CIFAR-10"},
    Title{"kolektorsdd", "KolektorSDD"},
    Title{"synthetic", QT_TRANSLATE_NOOP("Names", "generated pictures")},
    Title{"synthetic_defects", QT_TRANSLATE_NOOP("Names", "generated defects")},
    Title{"image_folder", QT_TRANSLATE_NOOP("Names", "folder of pictures")},
    Title{"masked_folder", QT_TRANSLATE_NOOP("Names", "folder of pictures and masks")},
    Title{"tfrecord", QT_TRANSLATE_NOOP("Names", "TFRecord files")}};

/// A device of one of several ranks.
const QRegularExpression kRankPlace(QStringLiteral("^rank(\\d+)@([^:]+):(.+)$"));

template<std::size_t count>
QString titleIn(const std::array<Title, count>& titles, const QString& name)
{
    const auto found = std::ranges::find(
        titles, name, [](const Title& title) { return QLatin1String(title.first); });
    return found == titles.end() ? name : QCoreApplication::translate("Names", found->second);
}

constexpr auto kEngineTexts = std::to_array<const char*>({
#include <engine_texts.h>
});

/// Texts with fewer letters around their arguments, such as "{} of {}", could be anybody's.
constexpr qsizetype kFewestLetters = 7;
constexpr int kDeepest = 6; ///< texts within texts

/// A text of the engine, cut at the places of its arguments.
class EngineTemplate
{
public:
    explicit EngineTemplate(const char* source) : m_source(source)
    {
        const QString text = QString::fromUtf8(source);
        QStringList pieces = text.split(place());
        // A part of a sentence has the rest of it before or behind it.
        m_hasBefore = isPunctuation(text.front());
        m_hasBehind = isPunctuation(text.back()) && text.back() != QLatin1Char(')');
        m_isWhole = pieces.size() == 1 && !m_hasBefore && !m_hasBehind;
        if (m_hasBehind) {
            pieces.append(QString());
        }
        for (QString& piece : pieces) {
            piece = plain(piece);
            m_letters += piece.size();
        }
        m_first = pieces.front();
        m_last = pieces.back();
        std::ranges::transform(pieces, pieces.begin(), [](const QString& piece) {
            return QRegularExpression::escape(piece);
        });
        // A part of a sentence begins as far behind as it can: what is before it may have the same
        // words.
        m_expression.setPattern(QRegularExpression::anchoredPattern(
            (m_hasBefore ? QStringLiteral("(.*)") : QString())
            + pieces.join(QStringLiteral("(.*?)"))));
        m_expression.setPatternOptions(QRegularExpression::DotMatchesEverythingOption);
    }

    [[nodiscard]] qsizetype letters() const { return m_letters; }
    [[nodiscard]] bool isPart() const { return m_hasBefore; }
    [[nodiscard]] bool canMatch() const { return m_isWhole || m_letters >= kFewestLetters; }

    /// The arguments in `text`, if it is this one.
    [[nodiscard]] std::optional<QStringList> argumentsIn(const QString& text) const
    {
        if (!(m_hasBefore ? text.contains(m_first) : text.startsWith(m_first))
            || !text.endsWith(m_last)) {
            return std::nullopt; // said at once of most: the expression takes its time
        }
        const QRegularExpressionMatch found = m_expression.match(text);
        return found.hasMatch() ? std::optional(found.capturedTexts().mid(1)) : std::nullopt;
    }

    [[nodiscard]] QString translated(QStringList arguments) const
    {
        const QString before = m_hasBefore ? arguments.takeFirst() : QString();
        const QString behind = m_hasBehind ? arguments.takeLast() : QString();
        const QString text = QCoreApplication::translate("Engine", m_source);
        QString result = before;
        qsizetype from = 0;
        qsizetype next = 0;
        for (auto places = place().globalMatch(text); places.hasNext();) {
            const auto found = places.next();
            bool isNumbered = false; // {1}, where the other language has another order
            const int number = found.captured(1).toInt(&isNumbered);
            result += plain(text.mid(from, found.capturedStart() - from))
                      + arguments.value(isNumbered ? number : next++);
            from = found.capturedEnd();
        }
        return result + plain(text.mid(from)) + behind;
    }

private:
    static const QRegularExpression& place()
    {
        static const QRegularExpression expression(QStringLiteral("(?<!\\{)\\{(?!\\{)([^{}]*)\\}"));
        return expression;
    }
    static bool isPunctuation(QChar letter)
    {
        return QStringLiteral(" ,;:.()").contains(letter) || letter == QLatin1Char('\n');
    }
    static QString plain(QString piece)
    {
        return piece.replace(QStringLiteral("{{"), QStringLiteral("{"))
            .replace(QStringLiteral("}}"), QStringLiteral("}"));
    }

    const char* m_source;
    QString m_first;
    QString m_last;
    QRegularExpression m_expression;
    qsizetype m_letters = 0;
    bool m_hasBefore = false;
    bool m_hasBehind = false;
    bool m_isWhole = false; ///< without arguments
};

const std::vector<EngineTemplate>& engineTemplates()
{
    static const std::vector<EngineTemplate> templates = [] {
        std::vector<EngineTemplate> all;
        for (const char* source : kEngineTexts) {
            if (EngineTemplate made(source); made.canMatch()) {
                all.push_back(std::move(made));
            }
        }
        std::ranges::stable_sort(all, std::greater(), &EngineTemplate::letters);
        return all;
    }();
    return templates;
}

QString engineTextWithin(const QString& text, int depth)
{
    const QString colon = QStringLiteral(": ");
    const bool isPath = text.startsWith(QLatin1Char('/')) && !text.contains(colon);
    if (text.isEmpty() || depth > kDeepest) {
        return text;
    }
    for (const EngineTemplate& each : engineTemplates()) {
        if (isPath && !each.isPart()) {
            continue; // words in a path are no text; one may follow it
        }
        if (auto arguments = each.argumentsIn(text)) {
            for (QString& argument : *arguments) {
                argument = engineTextWithin(argument, depth + 1);
            }
            return each.translated(*arguments);
        }
    }
    // "run.toml: towers is 0, …"
    const qsizetype behind = text.indexOf(colon) + colon.size();
    return behind < colon.size()
               ? text
               : text.left(behind) + engineTextWithin(text.mid(behind), depth + 1);
}

} // namespace

QString modelTitle(const QString& model)
{
    return titleIn(kModels, QFileInfo(model).completeBaseName());
}

QString datasetTitle(const QString& dataset, const QString& path)
{
    const bool isOwn = dataset == QLatin1String("image_folder")
                       || dataset == QLatin1String("masked_folder")
                       || dataset == QLatin1String("tfrecord");
    return isOwn && !path.isEmpty() ? QDir(path).dirName() : titleIn(kDatasets, dataset);
}

QString rankTitle(const QString& device)
{
    const QRegularExpressionMatch place = kRankPlace.match(device);
    return place.hasMatch() ? QCoreApplication::translate("Names", "rank %1 on %2")
                                  .arg(place.captured(1), place.captured(2))
                            : QString();
}

QString deviceTitle(const QString& device)
{
    const QRegularExpressionMatch place = kRankPlace.match(device);
    if (place.hasMatch()) {
        return QCoreApplication::translate("Names", "%1, %2", "device and rank")
            .arg(deviceTitle(place.captured(3)), rankTitle(device));
    }
    const QString gpu = QStringLiteral("cuda:");
    return device == QLatin1String("cpu") ? QCoreApplication::translate("Names", "CPU")
           : device.startsWith(gpu)
               ? QCoreApplication::translate("Names", "GPU %1").arg(device.mid(gpu.size()))
               : device;
}

QString engineText(std::string_view text)
{
    return engineTextWithin(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())), 0);
}

QString capitalised(QString text)
{
    const bool isPath = text.section(QLatin1Char(' '), 0, 0).contains(QLatin1Char('/'));
    return isPath ? text : text.replace(0, 1, text.left(1).toUpper());
}

} // namespace lockstep::ui
