// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace lockstep::ui {

/// A language that the window speaks.
struct Language
{
    QString code;      ///< "de"
    QString name;      ///< in itself: "Deutsch"
    int percent = 100; ///< of the texts that are translated; the others are English
};

/// Means the language of the desktop, as far as there is one.
inline constexpr const char* kSystemLanguage = "system";

/// All of them, English first.
std::vector<Language> languages();

/// The code of the language that `chosen` (a code, or kSystemLanguage) comes to: English where
/// there is no other.
QString languageFor(const QString& chosen);

/// What the event loop ends with where the program is to be started again, in another language.
inline constexpr int kRestart = 75;

/// Has the application speak it. To be called once, before the first window. Numbers and dates stay
/// those of the desktop's locale.
void installLanguage(const QString& chosen);

} // namespace lockstep::ui
