import type { FailureRule } from '../profile.js';

export const gpuFailures: readonly FailureRule[] = [
  {
    category: 'hardware-fault',
    on: 'both',
    pattern: 'uncorrectable (?:ECC|NVLink) error|fallen off the bus|GPU is lost',
    samples: ['RuntimeError: CUDA error: uncorrectable ECC error encountered'],
    remedies: [
      {
        id: 'drain-node',
        title: 'Take the GPU out of service',
        why: 'The hardware reports a fault; dmesg names the Xid. No setting helps.',
      },
    ],
  },
  {
    category: 'gpu-launch-failure',
    on: 'exception',
    // SYCL's word for a GPU that its driver has reset.
    pattern: 'UR_RESULT_ERROR_DEVICE_LOST|ErrorDeviceLost',
    samples: ['RuntimeError: level_zero backend failed with error: 20 (UR_RESULT_ERROR_DEVICE_LOST)'],
    remedies: [
      {
        id: 'gpu-error',
        title: 'Match driver and build',
        why: 'The driver has reset the GPU while a kernel ran: dmesg says more. A newer kernel, firmware or compute runtime is what helps most often.',
      },
    ],
  },
  {
    category: 'invalid-device-ordinal',
    on: 'exception',
    pattern: String.raw`invalid device ordinal|local rank \d+ is out of bounds`,
    samples: ['RuntimeError: CUDA error: invalid device ordinal'],
    remedies: [
      {
        id: 'fewer-ranks',
        title: 'Use as many ranks as GPUs are visible',
        why: 'A rank asked for a GPU that is not there: tp × dp × pp is larger than the GPUs of the node, or CUDA_VISIBLE_DEVICES hides some.',
        change: { args: ['--tp', '{tensorParallel}'] },
        compute: 'halve-tp',
      },
    ],
  },
  {
    category: 'oom-weights',
    on: 'exception',
    during: ['weights', 'download', 'distributed', 'init'],
    pattern: String.raw`(?:CUDA|HIP|XPU) out of memory\. Tried to allocate|OutOfMemoryError`,
    samples: [
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 224.00 MiB. GPU 3 has a total capacity of 79.10 GiB',
    ],
    remedies: [
      {
        id: 'more-gpus',
        title: 'Spread the weights over more GPUs',
        why: 'The weights of one rank do not fit into one GPU.',
        change: { args: ['{tensorParallelFlag}', '{tensorParallel}'] },
        compute: 'double-tp',
      },
      {
        id: 'free-gpus',
        title: 'Free the GPUs that another process holds',
        why: 'The message lists `Process N has … in use`: an old server or a neighbour.',
      },
      {
        id: 'quantised-weights',
        title: 'Use a quantised checkpoint',
        why: 'FP8 halves the weights, 4 bits quarter them.',
      },
    ],
  },
  {
    category: 'oom',
    on: 'exception',
    // The driver's own word, where it is not torch's allocator that found no room (a context, a graph, cudaMalloc).
    pattern:
      '(?:CUDA|HIP|XPU) out of memory|(?:CUDA|HIP) (?:driver )?error: out of memory|cudaErrorMemoryAllocation|OutOfMemoryError|NPU out of memory|UR_RESULT_ERROR_OUT_OF_(?:DEVICE_MEMORY|RESOURCES)|aclrt\\w+\\(.*error code is 207001',
    samples: ['torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.44 GiB.'],
    remedies: [
      {
        id: 'free-gpus',
        title: 'Free the GPUs that another process holds',
        why: 'The message lists what each process has in use.',
      },
      {
        id: 'expandable-segments',
        title: 'Fragment less',
        why: 'Helps where much is reserved and unallocated.',
        change: { env: { PYTORCH_CUDA_ALLOC_CONF: 'expandable_segments:True' } },
      },
    ],
  },
  {
    category: 'kernel-resource-limit',
    on: 'exception',
    pattern: String.raw`out of resource: shared memory, Required: (?<need>\d+), Hardware limit: (?<limit>\d+)`,
    samples: [
      'triton.runtime.errors.OutOfResources: out of resource: shared memory, Required: 106496, Hardware limit: 101376.',
    ],
    remedies: [
      {
        id: 'other-attention-backend',
        title: 'Choose another attention backend',
        why: 'The Triton kernel wants {need} bytes of shared memory and this GPU has {limit}.',
        change: { args: ['--attention-backend', 'flashinfer'] },
      },
    ],
  },
  {
    category: 'gpu-arch-or-toolkit-mismatch',
    on: 'both',
    pattern: String.raw`no kernel image is available for execution|device kernel image is invalid|provided PTX was compiled with an unsupported toolchain|Value 'sm_\w+' is not defined|HIP error: invalid device function|only supports sm75 and above`,
    samples: ['RuntimeError: CUDA error: no kernel image is available for execution on the device'],
    remedies: [
      {
        id: 'matching-build',
        title: 'Use a build for this GPU',
        why: 'The wheel or image was built for other compute capabilities; for Blackwell take a cu128 or newer image.',
      },
    ],
  },
  {
    category: 'quant-unsupported',
    on: 'exception',
    pattern: String.raw`The quantization method (?<method>\S+) is not supported for the current GPU\. Minimum capability: (?<cap>\d+)`,
    samples: [
      'ValueError: The quantization method fp8 is not supported for the current GPU. Minimum capability: 89.',
    ],
    remedies: [
      {
        id: 'other-quantization',
        title: 'Use another checkpoint',
        why: '{method} needs compute capability {cap}.',
      },
    ],
  },
  {
    category: 'driver-mismatch',
    on: 'exception',
    pattern:
      'NVIDIA driver on your system is too old|CUDA driver version is insufficient|forward compatibility was attempted',
    samples: ['RuntimeError: The NVIDIA driver on your system is too old (found version 12020).'],
    remedies: [
      {
        id: 'matching-driver',
        title: 'Match driver and image',
        why: 'Install a newer driver, or take an image built for the driver that is there.',
      },
    ],
  },
  {
    category: 'fabric-manager',
    on: 'exception',
    pattern: 'Error 802: system not yet initialized|cudaErrorSystemNotReady',
    samples: [
      'RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 802: system not yet initialized',
    ],
    remedies: [
      {
        id: 'start-fabricmanager',
        title: 'Start nvidia-fabricmanager',
        why: 'NVSwitch machines need it, in the version of the driver.',
      },
    ],
  },
  {
    category: 'no-gpu',
    on: 'exception',
    pattern:
      'No CUDA GPUs are available|CUDA driver initialization failed, you might not have a CUDA gpu|Failed to infer device type|Found no NVIDIA driver|No (?:HIP )?GPUs are available|No accelerator',
    samples: ['RuntimeError: No CUDA GPUs are available'],
    remedies: [
      {
        id: 'give-gpus',
        title: 'Give the process its GPUs',
        why: 'In a container: --gpus all. Else look at CUDA_VISIBLE_DEVICES and nvidia-smi.',
      },
    ],
  },
  {
    category: 'cuda-illegal-access',
    on: 'line',
    pattern: 'watchdog thread terminated with exception: (?:CUDA|HIP) error: ',
    samples: [
      '[rank0]:[E520 03:47:04.6 ProcessGroupNCCL.cpp:1896] [PG ID 2 PG GUID 3 Rank 0] Process group watchdog thread terminated with exception: CUDA error: an illegal memory access was encountered',
    ],
    remedies: [
      {
        id: 'locate-fault',
        title: 'Find the kernel',
        why: 'CUDA errors come late: the watchdog only heard of this one.',
        change: { env: { CUDA_LAUNCH_BLOCKING: '1' } },
      },
    ],
  },
  {
    category: 'cuda-illegal-access',
    on: 'exception',
    pattern:
      'an illegal memory access was encountered|device-side assert triggered|misaligned address|unspecified launch failure',
    samples: ['RuntimeError: CUDA error: an illegal memory access was encountered'],
    remedies: [
      {
        id: 'locate-fault',
        title: 'Find the kernel',
        why: 'CUDA errors come late: the frame shown is often not the culprit.',
        change: { env: { CUDA_LAUNCH_BLOCKING: '1' } },
      },
    ],
  },
];
