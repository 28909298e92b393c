// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/engine_text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace lockstep::ui {
namespace {

constexpr std::array kEngineTexts{
#include <engine_texts.h>
};

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
        m_pieces = text.split(place());
        // A part of a sentence has the rest of it before or behind it.
        m_hasBefore = isPunctuation(text.front());
        m_hasBehind = isPunctuation(text.back()) && text.back() != QLatin1Char(')');
        if (m_hasBehind) {
            m_pieces.append(QString());
        }
        for (QString& piece : m_pieces) {
            piece.replace(QStringLiteral("{{"), QStringLiteral("{"));
            piece.replace(QStringLiteral("}}"), QStringLiteral("}"));
            m_letters += piece.size();
        }
    }

    [[nodiscard]] qsizetype letters() const { return m_letters; }
    [[nodiscard]] bool isPart() const { return m_hasBefore; }
    [[nodiscard]] bool canMatch() const
    {
        return (m_pieces.size() == 1 && !m_hasBefore) || m_letters >= kFewestLetters;
    }

    /// The arguments in `text`, if it is this one. A part of a sentence begins as far behind as it
    /// can: what is before it may have the same words.
    [[nodiscard]] std::optional<QStringList> argumentsIn(const QString& text) const
    {
        if (!m_hasBefore) {
            return argumentsFrom(text, 0);
        }
        const QString& first = m_pieces.front();
        for (qsizetype at = text.lastIndexOf(first); at >= 0;
             at = at == 0 ? -1 : text.lastIndexOf(first, at - 1)) {
            if (auto arguments = argumentsFrom(text, at)) {
                arguments->prepend(text.left(at));
                return arguments;
            }
        }
        return std::nullopt;
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
    [[nodiscard]] std::optional<QStringList> argumentsFrom(
        const QString& text, qsizetype begin) const
    {
        if (!QStringView(text).mid(begin).startsWith(m_pieces.front())
            || !text.endsWith(m_pieces.back())) {
            return std::nullopt;
        }
        QStringList arguments;
        qsizetype from = begin + m_pieces.front().size();
        const qsizetype end = text.size() - m_pieces.back().size();
        for (qsizetype i = 1; i < m_pieces.size(); ++i) {
            const bool isLast = i + 1 == m_pieces.size();
            const qsizetype to = isLast ? end : text.indexOf(m_pieces[i], from);
            if (to < from || to > end) {
                return std::nullopt;
            }
            arguments.append(text.mid(from, to - from));
            from = to + m_pieces[i].size();
        }
        return from == text.size() ? std::optional(arguments) : std::nullopt;
    }
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
    QStringList m_pieces;
    qsizetype m_letters = 0;
    bool m_hasBefore = false;
    bool m_hasBehind = false;
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

QString engineText(std::string_view text)
{
    return engineTextWithin(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())), 0);
}

} // namespace lockstep::ui
