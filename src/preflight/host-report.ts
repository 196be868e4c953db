/** What `preflight.sh` said of a host: numbers as it gave them, null for what it could not see. */
export interface HostReport {
  readonly kernel: string;
  readonly user: string;
  readonly uid: number;
  readonly loginShell: string;
  readonly sh: string;
  /** Path by name, of those of `tools` that are there. */
  readonly tools: ReadonlyMap<string, string>;
  readonly python: string;
  readonly proc: boolean;
  readonly hidepid: 0 | 1 | 2;
  readonly ptraceScope: number | null;
  readonly dmesg: boolean | null;
  readonly memAvailableKiB: number | null;
  /** Variables of the login that matter, by name. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether there is a token of the hub: a variable or a file. */
  readonly hasToken: boolean;
  readonly shm: Room | null;
  readonly state: Room | null;
  readonly gpus: GpuReport;
  readonly apps: readonly GpuUse[];
  readonly amd: {
    readonly gpus: number;
    readonly tool: string | null;
    readonly answer: string;
    readonly code: number;
  };
  readonly listeners: readonly Listener[];
  readonly processes: ReadonlyMap<number, ProcessLine>;
  readonly cwd: { readonly path: string; readonly kind: string } | null;
  readonly log: Room | null;
  readonly logIsFolder: string | null;
  readonly logDenied: string | null;
  readonly command: { readonly word: string; readonly found: string; readonly how: string } | null;
  readonly package: { readonly name: string; readonly version: string; readonly site: string } | null;
  readonly hook: HookReport | null;
  readonly models: Readonly<Partial<Record<ModelRole, ModelReport>>>;
  readonly hubRoom: Room | null;
  /** Sections that did not come to their end in time. */
  readonly unanswered: readonly string[];
}

export interface Room {
  readonly path: string;
  /** The nearest folder that is there. */
  readonly near: string;
  readonly writable: boolean;
  readonly freeKiB: number | null;
  readonly totalKiB: number | null;
}

export type GpuReport =
  | { readonly status: 'ok'; readonly cards: readonly Card[]; readonly driver: string }
  /** The tool is there and failed, with its own words. */
  | { readonly status: 'failed'; readonly reason: string; readonly code: number }
  | { readonly status: 'absent' };

export interface Card {
  readonly index: number;
  readonly uuid: string;
  readonly name: string;
  readonly totalMiB: number | null;
  readonly usedMiB: number | null;
}

export interface GpuUse {
  readonly pid: number;
  readonly uuid: string;
  readonly usedMiB: number | null;
}

export interface Listener {
  readonly port: number;
  /** As `/proc/net/tcp` and `tcp6` have it; `v6only` for `::` without IPv4. */
  readonly addressHex: string;
  readonly uid: number;
  readonly pid: number | null;
}

export interface ProcessLine {
  readonly owner: string;
  readonly argv: readonly string[];
}

export interface HookReport {
  readonly className: string;
  readonly method: string;
  readonly verdict: 'has' | 'lacks' | 'unknown';
  readonly folder: string;
}

export type ModelRole = 'target' | 'draft';

export interface ModelReport {
  readonly path: string;
  /** `hub`: an id that is not in the cache; `cached`: in `path`. */
  readonly kind: 'folder' | 'file' | 'missing' | 'hub' | 'cached';
  /** `config.json`; null where there is none, or none that can be read. */
  readonly config: Readonly<Record<string, unknown>> | null;
  readonly hasConfig: boolean;
  /** Another form of model, which needs no `config.json`. */
  readonly needsNoConfig: boolean;
  readonly weightBytes: number | null;
  readonly shards: number;
  /** As many as the names of the shards promise; 0: they promise nothing. */
  readonly shardsPromised: number;
}
