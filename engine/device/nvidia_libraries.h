// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockstep {

/// Opens NVIDIA's libraries that the CUDA half is linked with where the loader doesn't know of
/// them: as packages of pip, the CUDA Toolkit or packaging/fetch-cuda.sh brought them. The loader
/// then takes those that are open.
void openNvidiaLibraries();

} // namespace lockstep
