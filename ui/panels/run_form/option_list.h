// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <string>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace lockstep {
struct RunConfig;
}

namespace lockstep::ui {

class FormField;
class NoteLabel;
class SearchLine;

/// The fields that seldom change: in groups, each under its heading, and above them a line that
/// finds some by their label, key or help.
class OptionList : public QWidget
{
    Q_OBJECT

public:
    explicit OptionList(QWidget* parent = nullptr);

    /// Where the field of a key belongs, by ascending number.
    static int groupOf(const std::string& key);
    /// To be called group by group. The field is this list's from now on.
    void add(FormField* field);
    /// Leaves only what model and data set have a use for.
    void setConfig(const RunConfig& config);

private:
    struct Option
    {
        FormField* field = nullptr;
        bool isOfUse = true;
    };
    struct Group
    {
        int number = 0;
        QLabel* heading = nullptr;
        std::vector<Option> options;
    };

    void filter();

    QVBoxLayout* m_rows;
    SearchLine* m_search;
    NoteLabel* m_nothing;
    std::vector<Group> m_groups;
};

} // namespace lockstep::ui
