/** A line of the kernel's log on a GPU's error or a kill for memory. */
export type KernelEvent =
  | { readonly kind: 'xid'; readonly bus: string; readonly code: number; readonly text: string }
  /** NVIDIA's driver on a GPU without an Xid, or AMD's on a ring that hangs, or a reset. */
  | { readonly kind: 'gpu'; readonly bus: string; readonly text: string }
  | { readonly kind: 'oom'; readonly pid: number };

/** Removes the sampler's mark: `[1234.567890] NVRM: Xid …`; null for what is no line of the kernel's log. */
export function kernelLine(line: string): string | null {
  const match = /^k (\d+\.\d+) +(.+)$/.exec(line);
  // journalctl puts host and source before: `gpu-17 kernel: NVRM: …`.
  return match?.[2] === undefined ? null : `[${match[1]}] ${match[2].replace(/^\S+ kernel: /, '')}`;
}

/**
 * What such a line says; null for others. Sources: NVIDIA's Xid catalogue (`NVRM: Xid (PCI:0000:3b:00): 79, pid=…, …`),
 * `mm/oom_kill.c` (`Out of memory: Killed process 4711 (python) …`, `Memory cgroup out of memory: …`), and amdgpu
 * (`amdgpu 0000:0c:00.0: amdgpu: GPU reset begin!`).
 */
export function kernelEvent(line: string): KernelEvent | null {
  const xid = /NVRM: Xid \((?:PCI:)?([0-9a-f:.]+)\): (\d+)(?:, *(.*))?$/i.exec(line);
  if (xid?.[1] !== undefined) {
    const words = (xid[3] ?? '').replace(/^(?:(?:pid|name)=(?:'[^']*'|[^,]*)(?:, *|$))+/, '');
    const code = Number(xid[2]);
    return { kind: 'xid', bus: busOf(xid[1]), code, text: `Xid ${code}${words === '' ? '' : `: ${words}`}` };
  }
  const oom = /[Kk]illed process (\d+)/.exec(line);
  if (oom?.[1] !== undefined) return { kind: 'oom', pid: Number(oom[1]) };
  const lost = /NVRM: GPU (?:at )?(?:PCI:)?([0-9a-f:.]+): (.*fallen off.*)$/i.exec(line);
  if (lost?.[1] !== undefined) return { kind: 'gpu', bus: busOf(lost[1]), text: lost[2] ?? '' };
  const amd = /amdgpu ([0-9a-f]+:[0-9a-f]+:[0-9a-f.]+): (?:amdgpu: )?(.*)$/i.exec(line);
  if (amd?.[1] !== undefined) return { kind: 'gpu', bus: busOf(amd[1]), text: amd[2] ?? '' };
  return null;
}

/** `3b:00`, with the domain where it is not 0: `00000000:3B:00.0` and `0000:3b:00` are the same. */
export function busOf(id: string): string {
  const [device = '', bus = '', domain = ''] = id.toLowerCase().replace(/\.\d$/, '').split(':').reverse();
  const number = domain.replace(/^0+/, '');
  return `${number === '' ? '' : `${number}:`}${bus}:${device}`;
}
