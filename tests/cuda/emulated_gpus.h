// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QFile>
#include <QTemporaryDir>

namespace lockstep::test {

/// A machine of emulated GPUs for the programs that a test starts from now on, with a driver and a
/// cache of its own.
class EmulatedGpus
{
public:
    explicit EmulatedGpus(int count)
    {
        QFile::copy(LOCKSTEP_FAKE_DRIVER, m_folder.filePath("libcuda.so.1"));
        qputenv("LD_LIBRARY_PATH", m_folder.path().toLocal8Bit());
        qputenv("LOCKSTEP_CUDA_LIBRARY", LOCKSTEP_EMULATED_GPU);
        qputenv("LOCKSTEP_EMULATED_GPUS", QByteArray::number(count));
        qputenv("XDG_CACHE_HOME", m_folder.filePath("cache").toLocal8Bit());
    }

private:
    QTemporaryDir m_folder;
};

} // namespace lockstep::test
