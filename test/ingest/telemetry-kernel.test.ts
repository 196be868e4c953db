import { describe, expect, it } from 'vitest';
import { busOf, kernelEvent, kernelLine } from '../../src/ingest/telemetry-kernel.js';

describe('lines of the kernel', () => {
  it.each([
    ['k 14066.976295 NVRM: Xid (PCI:0000:3b:00): 79', '[14066.976295] NVRM: Xid (PCI:0000:3b:00): 79'],
    [
      'k 12.345678 gpu-17 kernel: Out of memory: Killed process 7',
      '[12.345678] Out of memory: Killed process 7',
    ],
    ['Killed', null],
    ['k what', null],
  ])('%s', (said, text) => expect(kernelLine(said)).toBe(text));

  it.each([
    [
      'NVRM: Xid (PCI:0000:3b:00): 79, pid=4711, name=python3, GPU has fallen off the bus.',
      { kind: 'xid', bus: '3b:00', code: 79, text: 'Xid 79: GPU has fallen off the bus.' },
    ],
    [
      "NVRM: Xid (PCI:0001:C9:00): 48, pid='<unknown>', name=<unknown>, An uncorrectable double bit error (DBE) has been detected on GPU.",
      {
        kind: 'xid',
        bus: '1:c9:00',
        code: 48,
        text: 'Xid 48: An uncorrectable double bit error (DBE) has been detected on GPU.',
      },
    ],
    [
      'NVRM: Xid (PCI:0000:01:00): 31, Ch 00000010, intr 00000000. MMU Fault: ENGINE GRAPHICS',
      {
        kind: 'xid',
        bus: '01:00',
        code: 31,
        text: 'Xid 31: Ch 00000010, intr 00000000. MMU Fault: ENGINE GRAPHICS',
      },
    ],
    [
      'NVRM: Xid (PCI:0000:01:00): 43, pid=7, name=x',
      { kind: 'xid', bus: '01:00', code: 43, text: 'Xid 43' },
    ],
    ['NVRM: Xid (0000:01:00): 62, 29a8', { kind: 'xid', bus: '01:00', code: 62, text: 'Xid 62: 29a8' }],
    ['NVRM: GPU at PCI:0000:3b:00: GPU-5c89852c-0000-0000-0000-000000000000', null],
    [
      'NVRM: GPU 0000:3b:00.0: GPU has fallen off the bus.',
      { kind: 'gpu', bus: '3b:00', text: 'GPU has fallen off the bus.' },
    ],
    [
      'Out of memory: Killed process 4711 (python3) total-vm:9kB, anon-rss:1kB, file-rss:0kB',
      { kind: 'oom', pid: 4711 },
    ],
    ['Memory cgroup out of memory: Killed process 12 (sglang::schedul)', { kind: 'oom', pid: 12 }],
    [
      'amdgpu 0000:0c:00.0: amdgpu: GPU reset begin!',
      { kind: 'gpu', bus: '0c:00', text: 'GPU reset begin!' },
    ],
    ['NVRM: loading NVIDIA UNIX x86_64 Kernel Module', null],
    ['oom_reaper: reaped process 4711 (python3)', null],
  ])('%s', (line, event) => expect(kernelEvent(`[1.5] ${line}`)).toEqual(event));

  it('know a bus by any of its names', () => {
    expect(['00000000:3B:00.0', '0000:3b:00', '3b:00', '0000:3b:00.0'].map(busOf)).toEqual(
      Array.from({ length: 4 }, () => '3b:00'),
    );
    expect(busOf('00000001:3B:00.0')).toBe(busOf('0001:3b:00'));
  });
});
