// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>

#include <functional>

namespace lockstep::ui {

/// What a person is asked for one number with.
struct NumberQuestion
{
    QString name; ///< of the dialog, for tests
    QString title;
    QString text;  ///< what will happen
    QString label; ///< of the field, with its mnemonic
    QString note;  ///< under the field: how it is now
    QString value; ///< to begin with, as a configuration has it
    QString accept;
    bool isWhole = false;
    /// What is wrong with a value, in words; empty: nothing.
    std::function<QString(const QString& value)> problemOf;
    /// What speaks against a value that may be taken all the same, in place of the note; none, or
    /// empty: nothing.
    std::function<QString(const QString& value)> warningOf;
    std::function<void(const QString& value)> take; ///< of the value that was accepted
};

/// Asks for one number beside the window, which goes on. A wrong one is refused where it is typed.
class NumberDialog : public QDialog
{
    Q_OBJECT

public:
    /// `question.take` is called when it is accepted; the dialog deletes itself.
    explicit NumberDialog(const NumberQuestion& question, QWidget* parent = nullptr);
};

} // namespace lockstep::ui
