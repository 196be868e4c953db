import type { Gpu } from './gpu.js';
import { PythonError } from './python-error.js';

/** PyTorch's words for an allocation of `gib` that does not fit on this card. */
export function outOfMemory(
  gpu: Pick<Gpu, 'index' | 'totalGib' | 'usedGib' | 'freeGib' | 'foreign'>,
  gib: number,
): PythonError {
  const others = gpu.foreign.map((use) => `Process ${use.pid} has ${size(use.gib)} memory in use. `).join('');
  const allocated = Math.max(0, gpu.usedGib - 1.6);
  const text =
    `CUDA out of memory. Tried to allocate ${size(gib)}. GPU ${gpu.index} has a total capacity of ${size(gpu.totalGib)} ` +
    `of which ${size(Math.max(0, gpu.freeGib))} is free. ${others}Including non-PyTorch memory, this process has ` +
    `${size(gpu.usedGib)} memory in use. Of the allocated memory ${size(allocated)} is allocated by PyTorch, and ` +
    `${size(0.21)} is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting ` +
    'PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation for Memory ' +
    'Management  (https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)';
  return new PythonError('torch.OutOfMemoryError', text, []);
}

const size = (gib: number): string => (gib >= 1 ? `${gib.toFixed(2)} GiB` : `${(gib * 1024).toFixed(2)} MiB`);
