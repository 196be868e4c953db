import type { LineRule } from '../profile.js';

/** A line that names the version of a package: groups `name` and `v`, or the rule's own name and `v`. */
export interface PackageRule extends LineRule {
  readonly package?: string;
}

/**
 * Where logs of any engine name what is installed: `sglang is using nccl==2.27.3` (SGLang, vLLM), `PyTorch version
 * 2.8.0 available.` (datasets), `[pip3] torch==2.8.0` and `CUDA runtime version: 12.4.131` (torch's collect_env).
 */
export const packageRules: readonly PackageRule[] = [
  {
    pattern: String.raw`(?:^|[\s'"\[(])(?<name>sglang|vllm|torch|torchvision|transformers|nccl|triton|flashinfer(?:[-_]python)?|sgl[-_]kernel|sglang[-_]kernel|flash[-_]attn|xformers|xgrammar|numpy|tensorrt(?:[-_]llm)?)==(?<v>\d[\w.+-]*)`,
    samples: ['[2026-02-22 23:29:25 TP0] sglang is using nccl==2.27.3', '[pip3] torch==2.8.0+cu128'],
  },
  {
    package: 'torch',
    pattern: String.raw`(?:PyTorch|[Tt]orch) version:? (?<v>\d[\w.+-]*)`,
    samples: [
      'PyTorch version: 2.8.0+cu128',
      'INFO 02-22 23:29:22 [config.py:58] PyTorch version 2.8.0 available.',
    ],
  },
  {
    package: 'transformers',
    pattern: String.raw`(?:^|[^"\w])[Tt]ransformers version:? (?<v>\d[\w.+-]*)`,
    samples: ['Transformers version: 4.57.1', 'using transformers version 4.57.1'],
  },
  {
    package: 'cuda',
    pattern: String.raw`CUDA (?:runtime version|used to build PyTorch|Version): *(?<v>\d[\w.]*)`,
    samples: [
      'CUDA runtime version: 12.8.93',
      'CUDA used to build PyTorch: 12.8',
      '== CUDA == CUDA Version: 12.8.1',
    ],
  },
  {
    package: 'driver',
    pattern: String.raw`(?:Nvidia driver version|Driver Version): *(?<v>\d[\w.]*)`,
    samples: ['Nvidia driver version: 570.124.06'],
  },
  {
    package: 'nccl',
    pattern: String.raw`NCCL version (?<v>\d[\w.]*)`,
    samples: ['gpu-1:849:849 [0] NCCL INFO NCCL version 2.27.3+cuda12.9'],
  },
];

/** The package and version that `rule` finds; null where the line does not match. `flashinfer_python` is `flashinfer-python`. */
export function packageIn(
  rule: PackageRule,
  found: RegExpExecArray | null,
): { readonly name: string; readonly version: string } | null {
  const name = rule.package ?? found?.groups?.name?.replaceAll('_', '-');
  const version = found?.groups?.v?.replace(/[.+-]+$/, '');
  return name === undefined || version === undefined ? null : { name, version };
}
