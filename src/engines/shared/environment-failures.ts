import type { FailureRule } from '../profile.js';
import { kernelKill } from './kernel-kill.js';
import { nativeFailures } from './native-failures.js';
import { signalFailures } from './signal-failures.js';
import { startFailures } from './start-failures.js';

export const environmentFailures: readonly FailureRule[] = [
  {
    category: 'host-memory',
    on: 'line',
    pattern: `OOMKilled|Workers \\(tasks / actors\\) killed due to memory pressure|${kernelKill}|exited on signal 9|slurmstepd: error: Detected [0-9]+ oom.kill event|srun: error: .*: Out Of Memory`,
    samples: ['Out of memory: Killed process 812 (python3) total-vm:1, anon-rss:2'],
    remedies: [
      {
        id: 'more-host-memory',
        title: 'Give the process more host memory',
        why: 'The kernel killed it for want of RAM: raise the container’s limit, or load with fewer threads.',
      },
    ],
  },
  {
    category: 'port-in-use',
    phase: 'serving',
    on: 'both',
    pattern: String.raw`\[Errno 98\].*[Aa]ddress already in use|EADDRINUSE|Failed to bind socket to`,
    samples: [
      "[2026-02-22 23:40:00] ERROR:    [Errno 98] error while attempting to bind on address ('0.0.0.0', 30000): address already in use",
    ],
    remedies: [
      {
        id: 'other-port',
        title: 'Use another port',
        why: 'Another server listens on this one.',
        change: { args: ['--port', '{nextPort}'] },
        compute: 'next-port',
      },
      {
        id: 'stop-old-server',
        title: 'Stop the server that holds the port',
        why: 'An earlier attempt may still be running.',
      },
    ],
  },
  {
    category: 'shm-too-small',
    on: 'both',
    pattern:
      'Error while creating shared memory segment /dev/shm|Insufficient space in /dev/shm|posix_fallocate failed.*No space left',
    samples: ['RuntimeError: NCCL error: Error while creating shared memory segment /dev/shm/nccl-abc'],
    remedies: [
      {
        id: 'larger-shm',
        title: 'Give the container more /dev/shm',
        why: 'docker run --shm-size 32g, or --ipc=host.',
      },
    ],
  },
  {
    category: 'disk-full',
    on: 'exception',
    pattern: 'No space left on device|[Dd]isk quota exceeded',
    samples: ['OSError: [Errno 28] No space left on device'],
    remedies: [
      {
        id: 'larger-disk',
        title: 'Move the caches to a larger disk',
        why: 'HF_HOME, TMPDIR and the engine’s cache folder all fill up.',
      },
    ],
  },
  {
    category: 'host-memory',
    on: 'exception',
    pattern: String.raw`\[Errno 12\] Cannot allocate memory|^MemoryError|DefaultCPUAllocator: can't allocate memory`,
    samples: ['OSError: [Errno 12] Cannot allocate memory'],
    remedies: [
      {
        id: 'more-host-memory',
        title: 'Free host memory',
        why: 'The host, or the container’s limit, is out of RAM.',
      },
    ],
  },
  {
    category: 'too-many-threads',
    on: 'both',
    // EAGAIN of clone(2), as CPython, libstdc++, libgomp and OpenBLAS say it.
    pattern: String.raw`can't start new thread|(?:RuntimeError|BlockingIOError|with exception|what\(\)): +(?:\[Errno 11\] )?Resource temporarily unavailable|Os \{ code: 11, |pthread_create failed|Thread creation failed: Resource`,
    samples: [
      "RuntimeError: can't start new thread",
      'RuntimeError: Resource temporarily unavailable',
      'pyo3_runtime.PanicException: no thread pool: ThreadPoolBuildError { kind: IOError(Os { code: 11, kind: WouldBlock }) }',
      'libgomp: Thread creation failed: Resource temporarily unavailable',
      'OpenBLAS blas_thread_init: pthread_create failed for thread 31 of 64: Resource temporarily unavailable',
    ],
    remedies: [
      {
        id: 'raise-nproc',
        title: 'Allow more processes and threads',
        why: 'No thread could be started: raise ulimit -u or the container’s pids limit, end what an earlier attempt left behind, or set OMP_NUM_THREADS lower.',
      },
    ],
  },
  {
    category: 'too-many-files',
    on: 'exception',
    pattern: String.raw`\[Errno 24\] Too many open files`,
    samples: ['OSError: [Errno 24] Too many open files'],
    remedies: [
      {
        id: 'raise-nofile',
        title: 'Raise the limit of open files',
        why: 'ulimit -n 65536 before the start.',
      },
    ],
  },
  {
    category: 'missing-shared-library',
    on: 'exception',
    pattern: String.raw`cannot open shared object file|undefined symbol: |cuDNN version incompatibility|CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH|version .(?:GLIBC|GLIBCXX|CXXABI)\S* not found`,
    samples: ['ImportError: libcuda.so.1: cannot open shared object file: No such file or directory'],
    remedies: [
      {
        id: 'reinstall-matching',
        title: 'Install matching builds',
        why: 'A wheel was built for another torch, CUDA or system; libcuda comes with the driver (in a container: --gpus all).',
      },
    ],
  },
  {
    category: 'jit-toolchain-missing',
    on: 'both',
    pattern: String.raw`fatal error: \S+: No such file or directory|\bld(?:\.\w+)?: cannot find -l\S+|Ninja build failed|Ninja is required|'ninja'|Failed to find C compiler|Could not find nvcc|nvcc: not found|No such file or directory: '\S*nvcc'|CalledProcessError: Command '\['`,
    samples: ['/usr/include/stdlib.h:31:10: fatal error: stddef.h: No such file or directory'],
    remedies: [
      {
        id: 'install-toolchain',
        title: 'Install the compiler tools',
        why: 'Kernels are compiled at start: gcc with headers, ninja, and the CUDA toolkit (CUDA_HOME) are needed.',
      },
    ],
  },
  ...startFailures,
  ...signalFailures,
  {
    category: 'missing-python-dependency',
    on: 'exception',
    pattern: String.raw`with minimum required version \S+ is not installed|is installed with version .* which is less than the minimum|ModuleNotFoundError: No module named '(?<module>[^']+)'|PackageNotFoundError|^RuntimeError: NIXL is not available`,
    samples: ['Exception: flashinfer_python with minimum required version 0.2.5 is not installed.'],
    remedies: [
      {
        id: 'install-package',
        title: 'Install what is missing',
        why: 'pip install it into the environment that starts the server.',
      },
    ],
  },
  {
    category: 'fork-after-cuda',
    on: 'exception',
    pattern: 'Cannot re-initialize CUDA in forked subprocess',
    samples: [
      "RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method",
    ],
    remedies: [
      {
        id: 'spawn-workers',
        title: 'Start workers by spawn',
        why: 'CUDA was touched before the workers were forked.',
        change: { env: { VLLM_WORKER_MULTIPROC_METHOD: 'spawn' } },
      },
    ],
  },
  ...nativeFailures,
];
