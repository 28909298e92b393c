// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/masks/mask_strip.h"

#include "engine/records.h"
#include "panels/masks/mask_card.h"

#include <QEvent>
#include <QHBoxLayout>

namespace lockstep::ui {
namespace {

constexpr int kGap = 10;

} // namespace

MaskStrip::MaskStrip(QWidget* parent) : QScrollArea(parent), m_row(new QWidget)
{
    setAccessibleName(tr("Images of the step with their masks"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    // Else the pictures, which are as wide as they are high, and the bar could chase each other.
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    auto* const layout = new QHBoxLayout(m_row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGap);
    layout->addStretch(1);
    setWidget(m_row);
}

void MaskStrip::setRecord(const MaskRecord& record, std::optional<int> tower)
{
    std::vector<std::pair<int, const ImageMasks*>> images;
    for (int i = 0; i < static_cast<int>(record.towers.size()); ++i) {
        if (!tower || *tower == i) {
            for (const ImageMasks& image : record.towers[static_cast<std::size_t>(i)].images) {
                images.emplace_back(i, &image);
            }
        }
    }
    setCount(images.size());
    for (std::size_t i = 0; i < images.size(); ++i) {
        m_cards[i]->setImage(record, images[i].first, *images[i].second);
    }
    fit();
}

/// Those that are there stay: one may have the keyboard.
void MaskStrip::setCount(std::size_t count)
{
    auto* const layout = qobject_cast<QHBoxLayout*>(m_row->layout());
    while (m_cards.size() > count) {
        delete m_cards.back();
        m_cards.pop_back();
    }
    while (m_cards.size() < count) {
        auto* const card = new MaskCard(m_row);
        card->setThreshold(m_threshold);
        layout->insertWidget(static_cast<int>(m_cards.size()), card, 0, Qt::AlignTop);
        m_cards.push_back(card);
    }
}

void MaskStrip::setThreshold(double threshold)
{
    m_threshold = threshold;
    for (MaskCard* const card : m_cards) {
        card->setThreshold(threshold);
    }
}

/// Words stand beside the pictures, which are higher then, unless not all would be seen.
void MaskStrip::fit()
{
    for (const bool areWordsBeside : {true, false}) {
        int width = -kGap;
        for (MaskCard* const card : m_cards) {
            card->fitHeight(viewport()->height(), areWordsBeside);
            width += kGap + card->width();
        }
        if (width <= viewport()->width()) {
            return;
        }
    }
}

void MaskStrip::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    fit();
}

void MaskStrip::changeEvent(QEvent* event)
{
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        fit();
    }
}

} // namespace lockstep::ui
