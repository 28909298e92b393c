#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The recorder without PyTorch: what lands in the file, whatever happens to it."""

import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "app" / "recorder" / "src"
sys.path.insert(0, str(SOURCE))

import lockstep_recorder  # noqa: E402
from lockstep_recorder import frames  # noqa: E402
from lockstep_recorder.clocks import CudaClock  # noqa: E402
from lockstep_recorder.writer import Writer  # noqa: E402
from fake_gpu import FakeGpu  # noqa: E402
from rank_files import RankFile, phases  # noqa: E402

assert "torch" not in sys.modules


class RecorderTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.path = self.folder / "ranks" / "rank-0000.lsr"
        environment = {name: value for name, value in os.environ.items() if name not in ("RANK", "WORLD_SIZE")}
        patch = mock.patch.dict(os.environ, environment, clear=True)
        patch.start()
        self.addCleanup(patch.stop)

    def read(self):
        return RankFile(self.path)


class Frames(RecorderTest):
    def test_Step_bytes_areThoseOfTheFormat(self):
        step = frames.Step(7, 1, 2, 3, 4, 5, 6, 8, 9, 10, 0.5, 0.25, [(11, 12)])
        frame = frames.step_frame(step)
        self.assertEqual(frame[:8].hex(), "4c534b52" + "80000000")  # 112 bytes and a sum
        self.assertEqual(frame[12:20].hex(), "0201000000000000")
        self.assertEqual(frame[20:28].hex(), "0700000000000000")
        self.assertEqual(frame[108:124].hex(), "000000000000d03f" + "01000000" + "00000000")
        self.assertEqual(len(frame), 12 + 112 + 16)

    def test_Frame_ofACheckValue_hasItsChecksum(self):
        self.assertEqual(frames.frame(b"123456789")[8:12].hex(), "2639f4cb")  # CRC-32 of the standard: cbf43926


class Steps(RecorderTest):
    def test_Run_withDurations_hasTheTimes(self):
        with lockstep_recorder.Run(self.folder, model="a", training_examples=9) as run:
            for number in range(3):
                time.sleep(0.015)
                lasted = {"data": 0.001, "forward": 0.002, "backward": 0.003, "averaging": 0.004}
                run.step(loss=number, examples=4, correct=2, learning_rate=0.1, phases=lasted)
        file = self.read()
        self.assertEqual((file.damaged, file.torn, file.ends), ([], 0, [{"state": "finished", "text": ""}]))
        self.assertEqual([step["step"] for step in file.steps], [0, 1, 2])
        self.assertTrue(file.order_is_right())
        for step in file.steps:
            for name, expected in {"data": 1, "forward": 2, "backward": 3, "averaging": 4}.items():
                self.assertAlmostEqual(phases(step)[name], expected)
        self.assertGreater(phases(file.steps[1])["update"], 4.9)  # what is left of the 15 ms
        self.assertEqual((step["loss"], step["examples"], step["correct"], step["learning_rate"]), (2, 4, 2, 0.1))
        start = file.starts[0]
        self.assertEqual((start["format"], start["rank"], start["ranks"], start["model"]), (1, 0, 1, "a"))
        self.assertAlmostEqual(start["time"], time.time(), delta=60)
        self.assertEqual(start["clock"], Path("/proc/sys/kernel/random/boot_id").read_text().strip())

    def test_Run_withPhases_measuresThem(self):
        with lockstep_recorder.Run(self.folder) as run:
            for _ in range(2):
                for name, seconds in (("data", 0.002), ("forward", 0.004), ("backward", 0.006), ("averaging", 0.008)):
                    with run.phase(name):
                        time.sleep(seconds)
                run.step()
        for step in self.read().steps:
            for name, least in (("data", 2), ("forward", 4), ("backward", 6), ("averaging", 8)):
                self.assertGreaterEqual(phases(step)[name], least)
                self.assertLess(phases(step)[name], least + 50)
            self.assertEqual(step["sums"], [(step["arrival"], step["done"])])

    def test_Run_withNothing_saysUnknown(self):
        with lockstep_recorder.Run(self.folder, first_step=40) as run:
            run.step()
        step = self.read().steps[0]
        self.assertEqual(step["step"], 40)
        for name in ("forward", "backward", "arrival", "done", "examples", "correct"):
            self.assertEqual(step[name], -1)
        self.assertIsNone(step["loss"])
        self.assertEqual((step["waited"], step["sums"]), (0, []))

    def test_Rank_fromTorchrun_isTaken(self):
        os.environ.update(RANK="2", WORLD_SIZE="3")
        lockstep_recorder.Run(self.folder).close()
        start = RankFile(self.folder / "ranks" / "rank-0002.lsr").starts[0]
        self.assertEqual((start["rank"], start["ranks"]), (2, 3))
        with self.assertRaises(ValueError):
            lockstep_recorder.Run(self.folder, rank=3)

    def test_Clock_withAnOffset_hasItsOwnName(self):
        before = time.monotonic_ns()
        os.environ["LOCKSTEP_RECORDER_CLOCK_OFFSET"] = str(3600 * 10**9)
        with lockstep_recorder.Run(self.folder, rank=1, ranks=2) as run:
            run.step()
        file = RankFile(self.folder / "ranks" / "rank-0001.lsr")
        self.assertTrue(file.starts[0]["clock"].endswith("+rank1"))
        self.assertAlmostEqual((file.steps[0]["end"] - before) / 1e9, 3600, delta=60)

    def test_OddFactsAndTexts_areJsonThatAnybodyReads(self):
        number = types.SimpleNamespace(tolist=lambda: 9)  # as NumPy's and PyTorch's are
        run = lockstep_recorder.Run(self.folder, training_examples=number, share=float("nan"), model="caf\udce9", batch=object)
        run.event("é" * 65536)
        run.close("failed", "caf\udce9")
        file = self.read()
        start = file.starts[0]
        self.assertEqual([start[name] for name in ("training_examples", "share", "model")], [9, None, "caf?"])
        self.assertEqual(start["batch"], str(object))
        self.assertEqual(len(file.events[0]["text"].encode()), 65536)
        self.assertEqual(file.ends, [{"state": "failed", "text": "caf?"}])

    def test_Mistakes_areNamed(self):
        with lockstep_recorder.Run(self.folder) as run:
            with self.assertRaisesRegex(ValueError, "forwards"):
                run.step(phases={"forwards": 1})
            with self.assertRaisesRegex(ValueError, "middle"):
                run.phase("middle").__enter__()
            with self.assertRaisesRegex(ValueError, "bad"):
                run.event("text", "bad")


class Ends(RecorderTest):
    def end(self, error=None, stop=False):
        try:
            with lockstep_recorder.Run(self.folder) as run:
                run.step()
                if stop:
                    run.stop("enough")
                if error:
                    raise error
        except BaseException as raised:
            self.assertIs(raised, error)
        return self.read().ends[-1]

    def test_End_ofABlock_saysHow(self):
        self.assertEqual(self.end(), {"state": "finished", "text": ""})
        self.assertEqual(self.end(ValueError("no such layer")), {"state": "failed", "text": "ValueError: no such layer"})
        self.assertEqual(self.end(KeyboardInterrupt()), {"state": "stopped", "text": "interrupted"})
        self.assertEqual(self.end(SystemExit(0)), {"state": "finished", "text": ""})
        self.assertEqual(self.end(SystemExit(3)), {"state": "failed", "text": "SystemExit: 3"})
        self.assertEqual(self.end(stop=True), {"state": "stopped", "text": "enough"})
        self.assertEqual(len(self.read().starts), 6)  # each was appended
        self.assertEqual(len(self.read().ends), 6)

    def run_program(self, text, **options):
        program = f"import sys; sys.path.insert(0, {str(SOURCE)!r})\nimport lockstep_recorder, os, time\n"
        program += f"run = lockstep_recorder.Run({str(self.folder)!r})\n" + text
        return subprocess.run([sys.executable, "-c", program], stderr=subprocess.DEVNULL, timeout=60, **options)

    def test_Exit_withoutABlock_closes(self):
        self.run_program("run.step()")
        self.assertEqual(self.read().ends, [{"state": "finished", "text": ""}])
        self.run_program("run.step(); 1 / 0")
        self.assertEqual(self.read().ends[1], {"state": "failed", "text": "ZeroDivisionError: division by zero"})

    def test_Fork_recordsNothing(self):
        self.run_program("run.step()\nif os.fork() == 0:\n    run.step(); run.close(); sys.exit()\nos.wait(); run.step()")
        file = self.read()
        self.assertEqual([step["step"] for step in file.steps], [0, 1])
        self.assertEqual((len(file.starts), len(file.ends), file.damaged), (1, 1, []))

    def test_Kill_leavesWholeFrames(self):
        for seed in range(5):
            text = "while True: run.step(loss=1.0, examples=3); time.sleep(0.00002)"
            program = f"import sys; sys.path.insert(0, {str(SOURCE)!r})\nimport lockstep_recorder, time\n"
            program += f"run = lockstep_recorder.Run({str(self.folder)!r})\n" + text
            process = subprocess.Popen([sys.executable, "-c", program])
            time.sleep(0.9 + 0.13 * seed)
            process.send_signal(signal.SIGKILL)
            process.wait()
        file = self.read()
        self.assertEqual(len(file.starts), 5)
        self.assertEqual((file.ends, file.damaged), ([], []))
        self.assertGreater(len(file.steps), 1000)
        self.assertTrue(file.order_is_right())

    def test_TornFile_isAppendedTo(self):
        with lockstep_recorder.Run(self.folder) as run:
            run.step()
            run.step()
        data = self.path.read_bytes()
        self.path.write_bytes(data[:-60])  # within the second step
        self.assertGreater(self.read().torn, 0)
        with lockstep_recorder.Run(self.folder) as run:
            run.step()
        file = self.read()
        self.assertEqual([step["step"] for step in file.steps], [0, 0])
        self.assertEqual((len(file.starts), len(file.damaged), file.torn), (2, 1, 0))


class Faults(RecorderTest):
    def wait_until(self, condition):
        limit = time.monotonic() + 20
        while not condition() and time.monotonic() < limit:
            time.sleep(0.01)
        self.assertTrue(condition())

    def test_FullDisk_isOneWarning_andWhatComesAfterIsWhole(self):
        self.path.parent.mkdir()
        self.path.symlink_to("/dev/full")
        with self.assertLogs("lockstep_recorder", logging.WARNING) as log:
            with lockstep_recorder.Run(self.folder) as run:
                run._writer._interval = 0.01
                for _ in range(20):
                    run.step()
                    time.sleep(0.05)
                self.assertEqual(len(log.output), 1)
                self.assertIn("No space left on device", log.output[0])
                self.path.unlink()  # there is room again
                run.step()
                self.assertEqual(run.lost, 0)
        file = self.read()
        self.assertEqual([step["step"] for step in file.steps], list(range(21)))
        self.assertEqual((len(file.starts), len(file.ends), file.damaged, file.torn), (1, 1, [], 0))

    def test_FullDisk_toTheEnd_countsWhatIsLost(self):
        self.path.parent.mkdir()
        self.path.symlink_to("/dev/full")
        with self.assertLogs("lockstep_recorder", logging.WARNING) as log:
            with lockstep_recorder.Run(self.folder) as run:
                run.step()
        self.assertEqual(run.lost, 3)
        self.assertIn("3 frames were lost", log.output[-1])

    def test_ShortWrites_goOnWhereTheyStopped(self):
        write, chance = os.write, iter([5, 100, 1, None, 33, None, 7] * 10000)

        def short(file, data):
            size = next(chance)
            if size is None:
                raise OSError(28, "No space left on device")
            return write(file, data[:size])

        with mock.patch("os.write", short), self.assertLogs("lockstep_recorder", logging.WARNING):
            writer = Writer(self.path, interval=0.001)
            for number in range(30):
                writer.put(frames.step_frame(frames.Step(number)))
            self.wait_until(lambda: not writer._frames)
            writer.close()
        file = self.read()
        self.assertEqual(([step["step"] for step in file.steps], file.damaged), (list(range(30)), []))

    def test_FolderThatVanishes_isBegunAgainWhenItIsBack(self):
        with self.assertLogs("lockstep_recorder", logging.WARNING) as log:
            with lockstep_recorder.Run(self.folder) as run:
                run._writer._interval = 0.01
                run.step()
                self.wait_until(lambda: self.path.exists() and self.path.stat().st_size > 0)
                shutil.rmtree(self.folder)
                run.step()
                self.wait_until(lambda: run._writer._failing)
                run.step()
                self.assertFalse(self.folder.exists())
                self.path.parent.mkdir(parents=True)
                self.wait_until(lambda: not run._writer._frames)
                run.step()
        self.assertEqual(len(log.output), 1)
        file = self.read()
        self.assertEqual([step["step"] for step in file.steps], [1, 2, 3])
        self.assertEqual((len(file.starts), len(file.ends), file.damaged), (1, 1, []))

    def test_TooMuchThatWaits_isDroppedAndTold(self):
        self.path.parent.mkdir()
        self.path.symlink_to("/dev/full")
        with self.assertLogs("lockstep_recorder", logging.WARNING):
            writer = Writer(self.path, interval=0.01, limit=10 * 124)
            for number in range(15):
                writer.put(frames.step_frame(frames.Step(number)))
            self.wait_until(lambda: writer._failing)
            self.path.unlink()
            self.wait_until(lambda: not writer._frames)
            writer.put(frames.step_frame(frames.Step(15)))
            writer.close()
        file = self.read()
        self.assertEqual([step["step"] for step in file.steps], [*range(10), 15])
        self.assertEqual([event["text"] for event in file.events], ["5 frames were lost: No space left on device"])
        self.assertEqual(writer.lost, 5)

    def test_SlowDisk_thatDropsFrames_isTold(self):
        writer = Writer(self.path, interval=60, limit=10 * 124)
        for number in range(15):
            writer.put(frames.step_frame(frames.Step(number)))
        writer.close()
        writer.put(frames.step_frame(frames.Step(15)))  # nobody's loss
        self.assertEqual([event["text"] for event in self.read().events], ["5 frames were lost: the disk was too slow"])

    def test_Threads_mayAllPut(self):
        with lockstep_recorder.Run(self.folder) as run:
            run._writer._interval = 0.001
            threads = [
                threading.Thread(target=lambda name=name: [run.event(f"{name} {i}") for i in range(500)])
                for name in range(8)
            ]
            for thread in threads:
                thread.start()
            for _ in range(2000):
                run.step()
            for thread in threads:
                thread.join()
        file = self.read()
        self.assertEqual([step["step"] for step in file.steps], list(range(2000)))
        self.assertEqual(sorted(event["text"] for event in file.events), sorted(f"{n} {i}" for n in range(8) for i in range(500)))
        self.assertEqual((file.damaged, file.torn, len(file.starts)), ([], 0, 1))

    def test_Step_doesNotWaitForTheDisk(self):
        with mock.patch("os.write", side_effect=lambda file, data: time.sleep(0.5) or len(data)):
            run = lockstep_recorder.Run(self.folder)
            run._writer._interval = 0.001
            slowest = 0.0
            for _ in range(100):
                began = time.monotonic()
                run.step()
                slowest = max(slowest, time.monotonic() - began)
                time.sleep(0.005)
            run.close()
        self.assertLess(slowest, 0.25)


class OtherLanguages(RecorderTest):
    @unittest.skipUnless(shutil.which("cc"), "no C compiler")
    def test_C_writesAValidFile(self):
        source = ROOT / "app" / "recorder" / "examples" / "rank_file.c"
        self.assertLessEqual(len(source.read_text().splitlines()), 40)
        program = self.folder / "rank_file"
        subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", source, "-o", program, "-lz"], check=True)
        for _ in range(2):
            subprocess.run([program, self.folder / "file"], check=True)
        file = RankFile(self.folder / "file")
        self.assertEqual(([step["step"] for step in file.steps], file.damaged), ([*range(10), *range(10)], []))
        self.assertEqual((len(file.starts), file.ends), (2, [{"state": "finished"}] * 2))
        self.assertTrue(file.order_is_right())

    def test_MadeFiles_areWhatWasAskedFor(self):
        program = Path(__file__).parent / "make_rank_files.py"
        options = "--ranks 5 --steps 200 --gradients 3 --late 1:20:2 --damage 1 --cut 2 --short 3:50 --clock 4:3600:20"
        subprocess.run([sys.executable, program, self.folder, *options.split()], check=True)
        files = [RankFile(path) for path in sorted((self.folder / "ranks").iterdir())]
        self.assertEqual([len(file.steps) for file in files], [200, 199, 200, 50, 200])
        self.assertEqual([len(file.damaged) for file in files], [0, 1, 0, 0, 0])
        self.assertEqual([len(file.ends) for file in files], [1, 1, 0, 0, 1])
        self.assertGreater(files[2].torn, 0)
        self.assertEqual(len(files[0].gradients), 20)
        ahead = [files[4].steps[step]["done"] - files[0].steps[step]["done"] for step in (0, 199)]
        lasted = files[0].steps[199]["done"] - files[0].steps[0]["done"]
        self.assertAlmostEqual((ahead[1] - ahead[0]) / lasted, 20e-6, delta=1e-8)
        self.assertAlmostEqual(ahead[0] / 1e9, 3600, delta=0.001)
        backward = [phases(step)["backward"] for step in files[1].steps]
        self.assertTrue(20 < min(backward[0:80:2]) and max(backward[1:80:2]) < 20)


class Clocks(RecorderTest):
    def test_CudaClock_tellsWhenItsWorkWasDone(self):
        host = lockstep_recorder.Run(self.folder).clock
        clock = CudaClock(host, None, FakeGpu(late=5_000_000, gain=1))
        mark = clock.mark()
        began = time.monotonic_ns()
        self.assertFalse(clock.passed(mark))
        clock.synchronize(mark)
        self.assertTrue(clock.passed(mark))
        self.assertAlmostEqual((clock.read(mark) - began) / 1e6, 5, delta=2)

    def test_CudaClock_whoseGpuIsWrong_staysWithinWhatTheHostKnows(self):
        host = lockstep_recorder.Run(self.folder).clock
        for gain in (0.5, 2):
            clock = CudaClock(host, None, FakeGpu(late=1_000_000, gain=gain))
            for _ in range(20):
                mark = clock.mark()
                clock.synchronize(mark)
                time.sleep(0.003)
                self.assertGreaterEqual(clock.read(mark), mark[1])
                self.assertLessEqual(clock.read(mark), host.now())
                clock.rebase(mark)


if __name__ == "__main__":
    unittest.main()
