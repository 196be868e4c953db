import type { FailureRule } from '../profile.js';

/** Lengths, GPUs, time limits and arguments. */
export const configFailures: readonly FailureRule[] = [
  {
    category: 'max-model-len',
    on: 'exception',
    pattern: String.raw`User-specified max_model_len \((?<asked>\d+)\) is greater than the derived max_model_len \((?:\w+=)?(?<derived>\d+)`,
    samples: [
      'ValueError: User-specified max_model_len (262144) is greater than the derived max_model_len (max_position_embeddings=131072 or model_max_length=None)',
    ],
    remedies: [
      {
        id: 'lower-max-model-len',
        title: 'Serve {derived} tokens',
        why: 'That is what the model was made for.',
        change: { args: ['--max-model-len', '{derived}'] },
      },
      {
        id: 'allow-long-model-len',
        title: 'Allow the longer length',
        why: 'Output beyond {derived} tokens may be wrong.',
        change: { env: { VLLM_ALLOW_LONG_MAX_MODEL_LEN: '1' } },
      },
    ],
  },
  {
    category: 'batched-tokens',
    on: 'exception',
    pattern: String.raw`max_num_batched_tokens \((?<has>\d+)\) (?:is smaller than max_model_len \((?<needs>\d+)\)|must be greater than or equal to max_num_seqs)`,
    samples: ['ValueError: max_num_batched_tokens (2048) is smaller than max_model_len (8192).'],
    remedies: [
      {
        id: 'raise-batched-tokens',
        title: 'Raise the tokens of a batch',
        why: 'A request must fit into one batch.',
        change: { args: ['--max-num-batched-tokens', '{needs}'] },
      },
    ],
  },
  {
    category: 'not-enough-gpus',
    on: 'exception',
    pattern: String.raw`World size \((?<world>\d+)\) is larger than the number of available GPUs \((?<gpus>\d+)\)`,
    samples: ['ValueError: World size (8) is larger than the number of available GPUs (4) in this node.'],
    remedies: [
      {
        id: 'fewer-ranks',
        title: 'Use the {gpus} GPUs that are there',
        why: 'The parallel sizes ask for {world}.',
        change: { args: ['--tensor-parallel-size', '{gpus}'] },
      },
    ],
  },
  {
    category: 'ray-placement',
    phase: 'distributed',
    on: 'both',
    pattern:
      'Ray does not allocate any GPUs on the driver node|The number of required GPUs exceeds the total number of available GPUs in the placement group',
    samples: [
      'ValueError: Ray does not allocate any GPUs on the driver node. Consider adjusting the Ray placement group',
    ],
    remedies: [
      {
        id: 'driver-on-gpu-node',
        title: 'Run the driver on a GPU node',
        why: 'Ray placed every worker elsewhere.',
      },
    ],
  },
  {
    category: 'ray-worker-died',
    on: 'both',
    pattern:
      'A worker died or was killed while executing a task by an unexpected system error|ActorDiedError: The actor (?:died|is dead)',
    samples: [
      '(raylet) A worker died or was killed while executing a task by an unexpected system error.',
      'ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task.',
    ],
    remedies: [
      {
        id: 'worker-node-log',
        title: 'Look at the node of that worker',
        why: 'Ray only knows that the process is gone: its own log (/tmp/ray/session_latest/logs/worker-*) and dmesg of that node tell why; most often the kernel killed it for want of memory.',
      },
    ],
  },
  {
    category: 'handshake-timeout',
    on: 'both',
    pattern: 'Did not receive response from front-end|Timed out waiting for engine',
    samples: ['RuntimeError: Did not receive response from front-end process within 5 minutes'],
    remedies: [
      {
        id: 'longer-handshake',
        title: 'Wait longer for the engine',
        why: 'A slow disk or a dead peer kept it.',
        change: { env: { VLLM_ENGINE_READY_TIMEOUT_S: '3600' } },
      },
    ],
  },
  {
    category: 'bad-arguments',
    on: 'line',
    pattern: String.raw`(?:vllm(?: serve)?|api_server\.py): error: (?<words>.*)`,
    samples: ['vllm serve: error: unrecognized arguments: --tp'],
    remedies: [
      {
        id: 'fix-arguments',
        title: 'Correct the arguments',
        why: '{words}. The flag may be newer, or older, than this version.',
      },
    ],
  },
  {
    category: 'expandable-segments',
    on: 'exception',
    pattern: 'incompatible with PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True',
    samples: [
      'ValueError: KV connector is incompatible with PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True',
    ],
    remedies: [
      {
        id: 'no-expandable-segments',
        title: 'Unset expandable_segments',
        why: 'The KV connector needs plain allocations.',
        change: { env: { PYTORCH_CUDA_ALLOC_CONF: '' } },
      },
    ],
  },
];
