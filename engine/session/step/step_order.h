// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace lockstep {

/// What lies between two sums over devices.
template<class Executor>
void makePiece(Executor& executor, std::size_t piece)
{
    if (piece < executor.buckets()) {
        executor.passes(piece);  // forward with the first, and backward, of all towers
        executor.average(piece); // over the towers of the device
    }
    if (piece + 1 == executor.buckets()) {
        executor.checkLosses();
    }
    if (piece + 1 == executor.pieces()) {
        executor.checkGradient();
        executor.update(); // nothing, where a check has found a fault
        executor.record();
    }
}

/// The order of a step, on every kind of device. An executor says how each part of it is done: a
/// host device does it before the call returns, an accelerator adds it to its stream.
///
/// The backward pass makes the gradients bucket by bucket, those of the last layers first. What
/// lies between two sums over devices is a piece, which an accelerator captures once and replays
/// (in parts, where towers of several devices meet in the middle of it, see StepReplay);
/// one device that is alone has a single bucket, no sum and a single piece.
template<class Executor>
void makeStep(Executor& executor)
{
    executor.takeRows(); // of the global batch: every tower has its slice
    for (std::size_t piece = 0; piece < executor.pieces(); ++piece) {
        executor.run(piece, [&executor, piece] { makePiece(executor, piece); });
        executor.sumOverDevices(piece);
    }
    executor.giveRowsBack();
}

} // namespace lockstep
