// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/preview/study_view.h"

#include "plots/axes/number_text.h"
#include "widgets/forms/note_label.h"
#include "widgets/pictures/picture_cards.h"

#include <QHBoxLayout>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace lockstep::ui {
namespace {

QString titleOf(const ExampleDraw& draw, const ExampleStudy& study)
{
    if (study.split == Split::Test) {
        return StudyView::tr("In an evaluation");
    }
    const QString epoch = countText(draw.epoch);
    return draw.epoch == study.visit.epoch ? StudyView::tr("Epoch %1, this step").arg(epoch)
                                           : StudyView::tr("Epoch %1").arg(epoch);
}

PictureCard originalCard(const ExampleStudy& study)
{
    const QString size = StudyView::tr("%1 × %2 pixels")
                             .arg(countText(study.size.width()), countText(study.size.height()));
    QStringList lines{study.className, size};
    const QString number = countText(study.visit.example);
    if (study.name != QString::number(study.visit.example)) {
        lines << study.name;
    }
    return {study.original, StudyView::tr("Original, example %1").arg(number), lines, {}};
}

} // namespace

StudyView::StudyView(QWidget* parent)
    : QWidget(parent), m_title(new NoteLabel(NoteLabel::Tone::Muted, this)),
      m_problem(new NoteLabel(NoteLabel::Tone::Alert, this)),
      m_cards(new PictureCards(tr("An example and its distortions"), this))
{
    m_title->setNote(tr("One image, epoch by epoch: what is drawn for it"));
    m_problem->setObjectName(QStringLiteral("preview_study_problem"));
    auto* const close = new QToolButton(this);
    close->setObjectName(QStringLiteral("preview_study_close"));
    close->setAutoRaise(true);
    close->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
    close->setToolTip(tr("Closes this part; a click on an image brings it back"));
    close->setAccessibleName(tr("Close the example"));
    connect(close, &QToolButton::clicked, this, &StudyView::closed);
    connect(m_cards, &PictureCards::currentChanged, this, &StudyView::showBox);
    auto* const head = new QHBoxLayout;
    head->setContentsMargins(10, 0, 4, 0);
    head->addWidget(m_title, 1);
    head->addWidget(close);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_problem);
    layout->addWidget(m_cards, 1);
}

void StudyView::setStudy(const ExampleStudy& study)
{
    m_problem->setNote(study.problem);
    std::vector<PictureCard> cards;
    m_crops.clear();
    if (!study.draws.empty()) {
        cards.push_back(originalCard(study));
        m_crops.push_back(study.draws.front().crop);
    }
    for (const ExampleDraw& draw : study.draws) {
        cards.push_back({draw.image, titleOf(draw, study), draw.words, {}});
        m_crops.push_back(draw.crop);
    }
    m_cards->setCards(std::move(cards));
    if (!m_crops.empty()) {
        showBox(0);
    }
}

/// What is cut out of the original for this card; for its own, what this step cuts out.
void StudyView::showBox(int card)
{
    m_cards->setBox(0, m_crops[static_cast<std::size_t>(card)]);
}

} // namespace lockstep::ui
