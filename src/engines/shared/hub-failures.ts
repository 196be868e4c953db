import type { FailureRule } from '../profile.js';

export const hubFailures: readonly FailureRule[] = [
  {
    category: 'hf-auth',
    on: 'exception',
    pattern: 'access a gated repo|GatedRepoError|401 Client Error|403 Client Error',
    samples: ['OSError: You are trying to access a gated repo.'],
    remedies: [
      {
        id: 'hf-token',
        title: 'Accept the licence and pass a token',
        why: 'Set HF_TOKEN to a token of an account that has accepted the model’s licence.',
      },
    ],
  },
  {
    category: 'model-not-found',
    on: 'exception',
    pattern:
      "RepositoryNotFoundError|is not a local folder and is not a valid model identifier|does not appear to have a file named|Can't load the configuration of|HFValidationError|Repo id must be in the form|Invalid repository ID",
    samples: ['OSError: /models/demo does not appear to have a file named config.json.'],
    remedies: [
      {
        id: 'fix-model-path',
        title: 'Correct the model path',
        why: 'The name is neither a folder on this host nor a repository that may be read.',
      },
    ],
  },
  {
    category: 'hub-unreachable',
    on: 'exception',
    pattern: String.raw`LocalEntryNotFoundError|OfflineModeIsEnabled|couldn't connect to 'https://huggingface\.co'|Max retries exceeded with url`,
    samples: [
      'huggingface_hub.errors.LocalEntryNotFoundError: An error happened while trying to locate the file on the Hub',
    ],
    remedies: [
      {
        id: 'download-first',
        title: 'Download the model first',
        why: 'The host cannot reach the hub, or HF_HUB_OFFLINE is set: fetch the model, or set a proxy or HF_ENDPOINT.',
      },
    ],
  },
  {
    category: 'transformers-too-old',
    on: 'exception',
    pattern:
      "Transformers does not recognize this architecture|did not match any variant of untagged enum|cannot import name .* from 'transformers|KeyError: 'llava_qwen'",
    samples: [
      'ValueError: The checkpoint you are trying to load has model type `demo` but Transformers does not recognize this architecture.',
    ],
    remedies: [
      {
        id: 'upgrade-transformers',
        title: 'Upgrade transformers',
        why: 'The installed version does not know this model: pip install -U transformers, within what the engine allows.',
      },
    ],
  },
  {
    category: 'transformers-conflict',
    on: 'exception',
    pattern: 'is already used by a Transformers config, pick another name',
    samples: ["ValueError: 'demo' is already used by a Transformers config, pick another name."],
    remedies: [
      {
        id: 'match-transformers',
        title: 'Match the transformers version',
        why: 'Transformers now brings this model itself; the engine’s version expects an older one.',
      },
    ],
  },
  {
    category: 'trust-remote-code',
    on: 'exception',
    pattern:
      'trust_remote_code=True|contains custom code which must be executed|requires you to execute the configuration file',
    samples: [
      'ValueError: Loading /models/demo requires you to execute the configuration file in that repo on your local machine. Set the option `trust_remote_code=True` to remove this error.',
    ],
    remedies: [
      {
        id: 'trust-remote-code',
        title: 'Trust the model’s own code',
        why: 'The repository brings Python code that must run. Read it first.',
        change: { args: ['--trust-remote-code'] },
      },
    ],
  },
  {
    category: 'weights-missing',
    on: 'exception',
    pattern: 'Cannot find any model weights with|Weight files referenced in index but missing',
    samples: ['RuntimeError: Cannot find any model weights with `/models/demo`'],
    remedies: [
      {
        id: 'finish-download',
        title: 'Finish the download',
        why: 'The folder holds no weights of the expected format: check path, download and --load-format.',
      },
    ],
  },
  {
    category: 'corrupt-model-file',
    on: 'exception',
    pattern: String.raw`Consistency check failed: file should be of size|SafetensorError|HeaderTooLarge|InvalidHeaderDeserialization|json\.decoder\.JSONDecodeError`,
    samples: ['safetensors_rust.SafetensorError: Error while deserializing header: HeaderTooLarge'],
    remedies: [
      {
        id: 'download-again',
        title: 'Download the file again',
        why: 'A file is cut off, or is a git-lfs pointer instead of the weights.',
      },
    ],
  },
];
