// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/cifar10_files.h"
#include "support/temporary_folder.h"

namespace lockstep::test {

/// A folder with a few pictures in the layout of CIFAR-10, made once for a test program and gone at
/// its end. For trainings that have to begin at once: to draw the synthetic set takes a second, and
/// ten times that under the sanitizers.
inline std::filesystem::path smallPictures()
{
    struct Pictures
    {
        Pictures() { writeCifar10Folder(folder / "pictures", 40); }
        TemporaryFolder folder;
    };
    static const Pictures pictures;
    return pictures.folder / "pictures";
}

} // namespace lockstep::test
