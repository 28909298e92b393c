// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/run_form/option_list.h"

#include "engine/config.h"
#include "widgets/forms/field_editor.h"
#include "widgets/forms/form_field.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/search_line.h"

#include <QTextDocumentFragment>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <string_view>

namespace lockstep::ui {
namespace {

constexpr int kAboveHeading = 8;

struct OptionGroup
{
    const char* title;
    std::array<std::string_view, 4> rooms; ///< what its keys begin with
};

constexpr std::array kOptionGroups{
    OptionGroup{
        QT_TRANSLATE_NOOP("lockstep::ui::OptionList", "Model"), {"model", "initial_weights"}},
    OptionGroup{
        QT_TRANSLATE_NOOP("lockstep::ui::OptionList", "Data and input"), {"dataset", "input"}},
    OptionGroup{
        QT_TRANSLATE_NOOP("lockstep::ui::OptionList", "Optimizer"),
        {"learning_rate", "optimizer", "moving_average", "averaging"}},
    OptionGroup{QT_TRANSLATE_NOOP("lockstep::ui::OptionList", "Precision and devices"), {}},
    OptionGroup{
        QT_TRANSLATE_NOOP("lockstep::ui::OptionList", "Checkpoints and records"),
        {"checkpoint", "events", "gradients", "run"}},
    OptionGroup{QT_TRANSLATE_NOOP("lockstep::ui::OptionList", "Evaluation"), {"evaluate"}},
    OptionGroup{QT_TRANSLATE_NOOP("lockstep::ui::OptionList", "Alerts"), {"alerts"}},
    OptionGroup{QT_TRANSLATE_NOOP("lockstep::ui::OptionList", "Experiment"), {"experiment"}}};
constexpr int kWithoutRoom = 3;

/// What it is found by; the help has the key.
QString wordsOf(const FormField& field)
{
    const QString help = field.editor()->input()->toolTip();
    return field.title() + QLatin1Char(' ') + QTextDocumentFragment::fromHtml(help).toPlainText();
}

} // namespace

OptionList::OptionList(QWidget* parent)
    : QWidget(parent), m_rows(new QVBoxLayout(this)),
      m_search(new SearchLine(
          QStringLiteral("options_search"), tr("Find an option"),
          tr("Shows only the options in whose label, key or help all of these words occur"), this)),
      m_nothing(new NoteLabel(NoteLabel::Tone::Muted, this))
{
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(0);
    m_rows->addWidget(m_search);
    m_rows->addWidget(m_nothing);
    connect(m_search, &QLineEdit::textChanged, this, &OptionList::filter);
}

int OptionList::groupOf(const std::string& key)
{
    const std::string_view room = std::string_view(key).substr(0, key.find('.'));
    const auto* const found = std::ranges::find_if(kOptionGroups, [&](const OptionGroup& group) {
        return std::ranges::find(group.rooms, room) != group.rooms.end();
    });
    return found == kOptionGroups.end() ? kWithoutRoom
                                        : static_cast<int>(found - kOptionGroups.begin());
}

void OptionList::add(FormField* field)
{
    const int number = groupOf(field->key().toStdString());
    if (m_groups.empty() || m_groups.back().number != number) {
        auto* const heading =
            headingLabel(tr(kOptionGroups[static_cast<std::size_t>(number)].title));
        heading->setContentsMargins(0, kAboveHeading, 0, 0);
        m_rows->addWidget(heading);
        m_groups.push_back({number, heading, {}});
    }
    m_rows->addWidget(field);
    m_groups.back().options.push_back({field});
}

void OptionList::setConfig(const RunConfig& config)
{
    for (Group& group : m_groups) {
        for (Option& option : group.options) {
            option.isOfUse = isOfUse(config, option.field->key().toStdString());
        }
    }
    filter();
}

/// What is wrong is shown in any case.
void OptionList::filter()
{
    const bool isAll = m_search->text().isEmpty();
    bool isAny = false;
    for (const Group& group : m_groups) {
        bool isAnyOfGroup = false;
        for (const Option& option : group.options) {
            const bool isShown =
                (option.isOfUse && (isAll || m_search->finds(wordsOf(*option.field))))
                || !option.field->problem().isEmpty();
            option.field->setVisible(isShown);
            isAnyOfGroup |= isShown;
        }
        group.heading->setVisible(isAnyOfGroup);
        isAny |= isAnyOfGroup;
    }
    m_nothing->setNote(isAny ? QString() : tr("No option has all of these words"));
}

} // namespace lockstep::ui
