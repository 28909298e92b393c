// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/mistakes_view.h"

#include "models/evaluation/image_models.h"
#include "panels/shared/layouts.h"
#include "plots/axes/number_text.h"
#include "widgets/forms/wheel_guard.h"
#include "widgets/pictures/picture_cards.h"

#include <QComboBox>

#include <utility>

namespace lockstep::ui {

MistakesView::MistakesView(QWidget* parent)
    : QWidget(parent), m_order(new QComboBox(this)),
      m_cards(new PictureCards(tr("Images that were taken for something else"), this))
{
    m_cards->setObjectName(QStringLiteral("evaluation_mistakes"));
    m_order->setObjectName(QStringLiteral("evaluation_mistake_order"));
    m_order->setAccessibleName(tr("Which mistakes come first"));
    m_order->setToolTip(
        tr("Surest: those whose wrong class the network calls most probable.\nLargest loss: those "
           "whose label it calls least probable."));
    m_order->addItem(tr("Surest"), static_cast<int>(MistakeOrder::Confident));
    m_order->addItem(tr("Largest loss"), static_cast<int>(MistakeOrder::Loss));
    new WheelGuard(m_order);
    columnIn(this, {}, 0, {m_cards});
    connect(m_order, &QComboBox::currentIndexChanged, this, &MistakesView::show);
    connect(m_cards, &PictureCards::currentChanged, this, [this](int card) {
        emit exampleWanted(m_shown[static_cast<std::size_t>(card)].example);
    });
}

void MistakesView::clear()
{
    m_pictures.clear();
    m_images.clear();
    show();
}

void MistakesView::setPicture(const EvaluationPicture& picture)
{
    m_images = picture.classified;
    m_names = picture.classNames;
    show();
}

void MistakesView::show()
{
    const ValueFormat percent{100.0, 1, tr(" %")};
    m_shown =
        worstMistakes(m_images, static_cast<MistakeOrder>(m_order->currentData().toInt()), kMost);
    std::vector<PictureCard> cards;
    for (const ClassifiedImage& image : m_shown) {
        const QString label = className(m_names, image.label);
        cards.push_back(
            {m_pictures.value(image.example),
             tr("taken for %1: %2")
                 .arg(
                     className(m_names, image.predicted),
                     numberText(static_cast<double>(image.probability), percent)),
             {tr("is %1: %2").arg(label, numberText(image.labelProbability(), percent)),
              tr("loss %1").arg(numberText(static_cast<double>(image.loss), {1.0, 2, {}})),
              tr("image %1").arg(countText(image.example))},
             {}});
    }
    m_cards->setCards(std::move(cards));
    askForImages();
}

void MistakesView::askForImages()
{
    std::vector<qint64> missing;
    for (const ClassifiedImage& image : m_shown) {
        if (!m_pictures.contains(image.example)) {
            missing.push_back(image.example);
        }
    }
    if (isVisible() && !missing.empty()) {
        emit imagesWanted(missing);
    }
}

void MistakesView::setImage(qint64 example, const QImage& image)
{
    m_pictures.insert(example, image);
    for (std::size_t i = 0; i < m_shown.size(); ++i) {
        if (m_shown[i].example == example) {
            m_cards->setImage(static_cast<int>(i), image);
        }
    }
}

void MistakesView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    askForImages();
}

} // namespace lockstep::ui
