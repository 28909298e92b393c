// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QSize>
#include <QString>

class QComboBox;
class QPushButton;
class QSettings;
class QSpinBox;

namespace lockstep::ui {

class NoteLabel;

/// How a person wants a picture of charts.
struct PictureChoice
{
    static constexpr QSize kLeast{320, 240};
    static constexpr QSize kMost{16384, 16384};
    static constexpr int kMostScale = 4;

    QSize size;    ///< for which it is laid out
    int scale = 1; ///< of a PNG: pixels for each of the size, in both directions
    bool isDark = false;
    bool isSvg = false;

    [[nodiscard]] QSize pixels() const { return isSvg ? size : size * scale; }
};

/// Asks, beside the window, what the picture of charts is to be like, and says how large it gets.
/// What was chosen last is proposed the next time.
class PictureDialog : public QDialog
{
    Q_OBJECT

public:
    struct Question
    {
        QString title;
        QString kind;        ///< of what sizes are kept for, as part of a setting's name
        PictureChoice shown; ///< as it is in the window
    };

    /// `settings` must outlive the dialog, which deletes itself.
    PictureDialog(const Question& question, QSettings& settings, QWidget* parent = nullptr);

    [[nodiscard]] PictureChoice choice() const;

signals:
    void chosen(const lockstep::ui::PictureChoice& choice);

private:
    [[nodiscard]] QLayout* makeSize();
    void propose();
    void showResult();

    Question m_question;
    QSettings& m_settings;
    QComboBox* m_format;
    QSpinBox* m_width;
    QSpinBox* m_height;
    QComboBox* m_scale;
    QComboBox* m_colors;
    NoteLabel* m_result;
    QPushButton* m_accept;
};

} // namespace lockstep::ui
