import type { Event } from '../core/events.js';
import type { Host } from '../host/host.js';
import type { HostSample } from '../ingest/telemetry.js';
import { gpuFrameReader, stuckReading } from '../ingest/telemetry-gpu.js';
import { hostSampleReader, hostUnits } from '../ingest/telemetry-host.js';
import { kernelLine } from '../ingest/telemetry-kernel.js';
import type { ScriptOptions } from '../remote/script.js';
import { cannotWork, lineReader, runScript } from './run-script.js';

export interface TelemetryProbeOptions {
  readonly emit: (event: Extract<Event, { type: 'gpus' | 'host-sample' }>) => void;
  /** Ms since the epoch. */
  readonly now: () => number;
  /** Between samples of the host and its processes. Default 1. */
  readonly seconds?: number;
  /** Between two calls of the GPU tool; longer where a call is slow. 0 asks for no GPUs. Default 2. */
  readonly gpuSeconds?: number;
  readonly script?: ScriptOptions | undefined;
}

export interface TelemetryProbe {
  /** Samples until `signal` aborts; rejects with `FiredupError` when the link or the remote part ends. */
  run(host: Host, signal: AbortSignal): Promise<void>;
  /** The server's processes. Their descendants are found on the host, so not every change is a new start there. */
  watch(pids: readonly number[]): void;
}

/** How long the sampler has for finding a new process by itself (it looks every five ticks). */
const discoveryMs = 7000;
/** A call of the GPU tool that has not ended by then (its own limit is 15 s) cannot be ended. */
const hungMs = 20_000;

/** Samples GPUs, memory and the server's processes through one channel. */
export function createTelemetryProbe(options: TelemetryProbeOptions): TelemetryProbe {
  const { emit, now } = options;
  let wanted: readonly number[] = [];
  /** What the running sampler was started with. */
  let started = new Set<number>();
  let covered = new Set<number>();
  let uncoveredSince: number | null = null;
  let restart: (() => void) | null = null;

  const takeSample = (sample: HostSample) => {
    covered = new Set(sample.processes.map(({ pid }) => pid));
    // One that it was started with and does not show has ended.
    const isNew = (pid: number) => !covered.has(pid) && !started.has(pid);
    uncoveredSince = wanted.some(isNew) ? (uncoveredSince ?? now()) : null;
    emit({ type: 'host-sample', at: now(), sample });
    if (uncoveredSince !== null && now() - uncoveredSince > discoveryMs) restart?.();
  };

  const sample = async (host: Host, signal: AbortSignal): Promise<void> => {
    const gpuFrame = gpuFrameReader();
    let call: { readonly tool: string; readonly began: number } | null = null;
    let kernelLines: string[] = [];
    let hostSample: ReturnType<typeof hostSampleReader> | null = null;
    uncoveredSince = null;
    started = new Set(wanted);
    covered = new Set();
    await runScript(
      host,
      {
        name: 'telemetry',
        args: [String(options.seconds ?? 1), String(options.gpuSeconds ?? 2), ...wanted.map(String)],
        options: options.script,
        onHello: (words) => {
          hostSample = hostSampleReader(hostUnits(words));
        },
        onOutput: lineReader((line) => {
          if (line.startsWith('X ')) throw cannotWork(line.slice(2));
          const complete = hostSample?.(line) ?? null;
          if (complete === null) return;
          takeSample(kernelLines.length === 0 ? complete : { ...complete, kernelLines });
          kernelLines = [];
          if (call === null || now() - call.began <= hungMs) return;
          const reading = stuckReading(`${call.tool} does not answer and cannot be ended`);
          call = null;
          emit({ type: 'gpus', at: now(), reading });
        }),
        onError: lineReader((line) => {
          const ofKernel = kernelLine(line);
          if (ofKernel !== null) kernelLines.push(ofKernel);
          const frame = gpuFrame(line);
          if (frame?.kind === 'begin') call = { tool: frame.tool, began: now() };
          if (frame?.kind !== 'reading') return;
          call = null;
          emit({ type: 'gpus', at: now(), reading: frame.reading });
        }),
      },
      signal,
    );
  };

  return {
    async run(host, signal) {
      while (!signal.aborted) {
        const round = new AbortController();
        const stop = () => round.abort();
        signal.addEventListener('abort', stop);
        restart = stop;
        try {
          await sample(host, round.signal);
        } finally {
          restart = null;
          signal.removeEventListener('abort', stop);
        }
      }
    },
    watch(pids) {
      wanted = pids;
      // Another tree at once; what is new in a known one the sampler finds by itself.
      if (pids.length > 0 && !pids.some((pid) => started.has(pid) || covered.has(pid))) restart?.();
    },
  };
}
