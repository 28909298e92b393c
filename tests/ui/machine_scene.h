// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/headless_run.h"
#include "ui/window_witness.h"

#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <iterator>

namespace lockstep::ui {

/// A machine "there" for a window, on this one: a program called ssh that comes first in PATH and
/// runs what it is to run in a shell of its own.
class MachineScene
{
public:
    explicit MachineScene(const WindowScene& scene) : m_scene(scene)
    {
        for (const auto& [name, folder] :
             {std::pair{"XDG_CACHE_HOME", "cache"}, {"HOME", "home"}}) {
            std::filesystem::create_directories(root() / folder);
            qputenv(name, QByteArray::fromStdString((root() / folder).string()));
        }
        std::filesystem::create_directories(runs());
        std::filesystem::create_directories(root() / "bin");
        const std::string folder = root().string();
        // Its last argument is the command for the other machine's shell.
        write(
            "bin/ssh", "#!/bin/sh\nfor last; do :; done\n[ ! -e " + folder
                           + "/down ] || { echo 'ssh: connect to host there port 22: Connection "
                             "refused' >&2; exit 255; }\necho $$ > "
                           + folder + "/ssh.pid\neval \"$last\"\n");
        ::chmod((root() / "bin" / "ssh").c_str(), 0700);
        m_path = qgetenv("PATH");
        qputenv("PATH", QByteArray::fromStdString((root() / "bin").string()) + ":" + m_path);
        scene.settings().setValue("remote/program", LOCKSTEP_TRAIN_PROGRAM);
    }
    ~MachineScene() { qputenv("PATH", m_path); }
    MachineScene(const MachineScene&) = delete;
    MachineScene& operator=(const MachineScene&) = delete;

    [[nodiscard]] std::filesystem::path runs() const { return root() / "there"; }
    /// Fills the dialog as a person does, and does not wait.
    void askFor(const QString& machine, const QString& folder) const
    {
        m_scene.actions().connectMachine->trigger();
        find<QComboBox>("connect_machine")->setEditText(machine);
        find<QLineEdit>("connect_path")->setText(folder);
        QTest::keyClick(find<QLineEdit>("connect_path"), Qt::Key_Return);
    }
    void connect() const
    {
        askFor("there", toQString(runs()));
        QTRY_VERIFY(find<QLabel>("machine_text")->isVisible());
        QTRY_VERIFY(find<QDialog>("connect_dialog") == nullptr);
        m_scene.activate();
    }
    /// The program that is the line, and all that it has started, are gone at once.
    void cut() const
    {
        write("down", "");
        std::ifstream file(root() / "ssh.pid");
        int process = 0;
        file >> process;
        ::kill(process, SIGKILL);
    }
    void mend() const { std::filesystem::remove(root() / "down"); }
    template<class Widget>
    [[nodiscard]] Widget* find(const char* name) const
    {
        return m_scene.window().findChild<Widget*>(name);
    }
    [[nodiscard]] MessageBar& lineBar() const
    {
        const auto bars = m_scene.window().findChildren<MessageBar*>();
        const MessageBar* const messages = &m_scene.window().messages();
        return **std::ranges::find_if(bars, [&](MessageBar* bar) { return bar != messages; });
    }
    void write(const char* name, const std::string& text) const
    {
        std::ofstream(root() / name, std::ios::binary) << text;
    }

private:
    [[nodiscard]] const std::filesystem::path& root() const { return m_scene.folder().path(); }

    const WindowScene& m_scene;
    QByteArray m_path;
};

} // namespace lockstep::ui
