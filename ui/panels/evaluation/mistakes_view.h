// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/readers/evaluation_reader.h"

#include <QHash>
#include <QImage>
#include <QWidget>

#include <cstddef>
#include <vector>

class QComboBox;

namespace lockstep::ui {

class PictureCards;

/// The test images that a network is most wrong about, as pictures: what each is, what it was taken
/// for and how surely. Asks for those pictures only that it does not have, and only while it is
/// visible.
class MistakesView : public QWidget
{
    Q_OBJECT

public:
    static constexpr std::size_t kMost = 24;

    explicit MistakesView(QWidget* parent = nullptr);

    /// Which mistakes come first; it may stand elsewhere.
    [[nodiscard]] QComboBox& order() const noexcept { return *m_order; }
    /// Another run: its images are others.
    void clear();
    void setPicture(const EvaluationPicture& picture);
    void setImage(qint64 example, const QImage& image);

signals:
    /// Pictures of these examples are needed; not those of before any more.
    void imagesWanted(const std::vector<qint64>& examples);
    /// A person wants to see more of one.
    void exampleWanted(qint64 example);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void show();
    void askForImages();

    std::vector<ClassifiedImage> m_images;
    std::vector<ClassifiedImage> m_shown;
    QStringList m_names;
    QHash<qint64, QImage> m_pictures; ///< by example
    QComboBox* m_order;
    PictureCards* m_cards;
};

} // namespace lockstep::ui
