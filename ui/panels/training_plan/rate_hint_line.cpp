// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/training_plan/rate_hint_line.h"

#include "widgets/forms/note_label.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace lockstep::ui {

RateHintLine::RateHintLine(QWidget* parent)
    : QWidget(parent), m_text(new NoteLabel(NoteLabel::Tone::Muted, this)),
      m_take(new QToolButton(this))
{
    const QString source = QStringLiteral("<qt>%1</qt>").arg(RateHint::source().toHtmlEscaped());
    m_text->setToolTip(source);
    m_take->setObjectName(QStringLiteral("take_scaled_rate"));
    m_take->setToolTip(source);
    auto* const row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_text, 1);
    row->addWidget(m_take, 0, Qt::AlignTop);
    connect(m_take, &QToolButton::clicked, this, [this] {
        if (m_hint) {
            emit taken(m_hint->rate);
        }
    });
    hide();
}

void RateHintLine::setHint(const std::optional<RateHint>& hint)
{
    m_hint = hint;
    if (hint) {
        m_text->setNote(hint->text());
        m_take->setText(tr("Use %1").arg(rateText(hint->rate)));
        m_take->setAccessibleName(tr("Use the learning rate %1").arg(rateText(hint->rate)));
    }
    setVisible(hint.has_value());
}

void RateHintLine::setVoid(bool isVoid)
{
    QSizePolicy policy = sizePolicy();
    policy.setRetainSizeWhenHidden(isVoid && m_hint);
    setSizePolicy(policy);
    setVisible(!isVoid && m_hint);
}

} // namespace lockstep::ui
