// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/run_form/form_parts.h"

#include "bridge/base/file_names.h"
#include "bridge/validation/run_validation.h"
#include "engine/config.h"
#include "widgets/forms/form_field.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/search_line.h"
#include "widgets/forms/value_editors.h"

#include <QTextDocumentFragment>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <string_view>

namespace lockstep::ui {
namespace {

constexpr int kAboveHeading = 8;

struct OptionGroup
{
    const char* title = nullptr;
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
    OptionGroup{QT_TRANSLATE_NOOP("lockstep::ui::OptionList", "Evaluation"), {"evaluate", "stop"}},
    OptionGroup{QT_TRANSLATE_NOOP("lockstep::ui::OptionList", "Alerts"), {"alerts"}},
    OptionGroup{QT_TRANSLATE_NOOP("lockstep::ui::OptionList", "Experiment"), {"experiment"}}};
constexpr int kWithoutRoom = 3;

/// What it is found by; the help has the key.
QString wordsOf(const FormField& field)
{
    const QString help = field.editor()->input()->toolTip();
    return field.title() + QLatin1Char(' ') + QTextDocumentFragment::fromHtml(help).toPlainText();
}

constexpr int kBottomMargin = 8; // from the first section

} // namespace

OptionList::OptionList(QWidget* parent)
    : QWidget(parent),
      m_search(new SearchLine(
          QStringLiteral("options_search"), tr("Find an option"),
          tr("Shows only the options in whose label, key or help all of these words occur"), this)),
      m_nothing(new NoteLabel(NoteLabel::Tone::Muted, this)),
      m_rows(columnIn(this, {}, 0, {m_search, m_nothing}))
{
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

StartLine::StartLine(QWidget* parent)
    : QWidget(parent), m_text(new NoteLabel(NoteLabel::Tone::Plain, this)),
      m_problem(new ProblemLabel(this))
{
    auto* clear = new QToolButton(this);
    clear->setText(QStringLiteral("×"));
    clear->setAutoRaise(true);
    clear->setObjectName(QLatin1String(kCheckpointKey) + QStringLiteral(".clear"));
    clear->setAccessibleName(tr("Start from random weights"));
    clear->setToolTip(tr("Make this a new run that starts from random weights"));
    connect(clear, &QToolButton::clicked, this, &StartLine::cleared);

    m_text->setObjectName(QLatin1String(kCheckpointKey));
    columnIn(
        this, {0, 0, 0, kBottomMargin}, 3,
        {rowOf({{m_text, 1}, {clear, 0, Qt::AlignTop}}), m_problem});
    hide();
}

void StartLine::setRequest(const RunRequest& request)
{
    m_request = request;
    show();
}

void StartLine::setConfig(const RunConfig& config)
{
    m_request.config = config;
    show();
}

void StartLine::show()
{
    const bool isState = m_request.isResume || m_request.checkpoint;
    const InitialWeightsConfig& initial = m_request.config.initialWeights;
    const QString run = nameOf(m_request.folder);
    const std::filesystem::path checkpoint = isState
                                                 ? m_request.checkpoint.value_or(m_request.folder)
                                                 : std::filesystem::path(initial.checkpoint);
    const QString file = nameOf(checkpoint);
    QString text;
    if (m_request.checkpoint && m_request.isResume) {
        text = tr("Continues run %1 from checkpoint %2, on a new branch").arg(run, file);
    } else if (m_request.checkpoint) {
        text = tr("Starts from checkpoint %1").arg(file);
    } else if (m_request.isResume) {
        text = tr("Continues run %1").arg(run);
    } else if (initial.isGiven()) {
        text = tr("Fine-tunes the weights of %1").arg(file);
    }
    m_text->setNote(text);
    m_text->setToolTip(toQString(checkpoint));
    setVisible(!text.isEmpty());
}

void StartLine::setProblem(const QString& text)
{
    m_problem->setProblem(text);
}

} // namespace lockstep::ui
