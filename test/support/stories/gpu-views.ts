import type { ScreenModel } from '../../../src/core/view-models/screen.js';
import type { GpuReading, GpuSample } from '../../../src/ingest/telemetry.js';
import { type Cards, LaunchStory } from '../screen-stories.js';

/** A box of `count` cards, each as `change` says of its number. */
const box =
  (count: number, change: (index: number) => Partial<GpuSample> = () => ({})): Cards =>
  (memMiB) => ({
    status: 'ok',
    tookMs: 40,
    gpus: Array.from({ length: count }, (_, index) => ({
      index,
      uuid: `GPU-${index}`,
      name: 'NVIDIA H200',
      memTotalMiB: 143_771,
      memUsedMiB: memMiB + index * 61,
      utilPercent: 12 + index * 5,
      temperatureC: 34 + index,
      powerW: 118 + index * 4,
      powerLimitW: 700,
      busId: `00000000:${(0x18 + index).toString(16)}:00.0`,
      fault: null,
      ...change(index),
    })),
    apps: Array.from({ length: count }, (_, index) => ({
      uuid: `GPU-${index}`,
      pid: 4801 + index,
      memUsedMiB: memMiB,
    })),
  });

const launch = (cards?: Cards): LaunchStory =>
  new LaunchStory({}, cards === undefined ? {} : { cards }).weights().later(1);

/** The tool has said this from the beginning. */
const only = (reading: GpuReading): ScreenModel => launch(() => reading).model;

/** It says this now, after figures that are still shown. */
const then = (story: LaunchStory, reading: GpuReading): ScreenModel =>
  story.event({ type: 'gpus', at: story.now, reading }).model;

/** The kernel's line on card 3. */
const kernelSays = (story: LaunchStory, code: number, words: string): ScreenModel => {
  const line = `[ 8123.456] NVRM: Xid (PCI:0000:1b:00): ${code}, pid=4804, name=python, ${words}`;
  return story.sample([], { kernelLines: [line] }).model;
};

/** What can be wrong or different with the GPUs. */
export const gpuViews = {
  'gpu-xid': () => kernelSays(launch(box(8)), 31, 'Ch 00000003, intr 00000000. MMU Fault: ENGINE GRAPHICS'),
  'gpu-xid-lost': () =>
    kernelSays(
      launch(
        box(8, (index) => (index === 3 ? { fault: 'GPU is lost', memUsedMiB: null, utilPercent: null } : {})),
      ),
      79,
      'GPU has fallen off the bus.',
    ),
  'gpus-hot': () => launch(box(8, (index) => ({ temperatureC: 82 + index, powerW: 688 }))).model,
  'gpus-sixteen': () => launch(box(16)).model,
  'gpus-mig': () => {
    const instances = ['3g.40gb', '3g.40gb'];
    const card = { name: 'NVIDIA H100 80GB HBM3', memTotalMiB: 81_559 };
    const inTwo = { utilPercent: null, migInstances: instances };
    return launch(box(4, (index) => ({ ...card, ...(index < 2 ? inTwo : {}) }))).model;
  },
  'gpu-one': () => launch(box(1)).model,
  /** A tool that says little: figures that it does not give are not zero. */
  'gpus-untold': () =>
    launch(box(8, () => ({ memUsedMiB: null, utilPercent: null, temperatureC: null, powerW: null }))).model,
  'gpus-none': () => only({ status: 'ok', tookMs: 40, gpus: [], apps: [] }),
  'gpus-no-tool': () => only({ status: 'absent' }),
  'gpus-stale': () => launch().later(95).model,
  'gpus-vanished': () => then(launch(), box(6)(58_000, null)),
  'gpus-failed': () => {
    const reason = 'Failed to initialize NVML: Driver/library version mismatch';
    return then(launch().later(20), { status: 'failed', reason, code: 18 });
  },
  'gpus-stuck': () => then(launch().later(40), { status: 'stuck', reason: 'no answer for 40 s' }),
} satisfies Readonly<Record<string, () => ScreenModel>>;
