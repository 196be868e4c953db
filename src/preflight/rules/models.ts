import { gatedRepositories } from '../../engines/shared/gated.js';
import type { ModelRole } from '../host-report.js';
import type { LaunchPlan } from '../plan.js';
import { visibleCards } from '../ranks.js';
import {
  certain,
  type Draft,
  ok,
  type Rule,
  type Sight,
  sizeText,
  unchecked,
  variable,
  warning,
} from '../rule.js';
import { weightsShareMiB } from './gpus.js';

/** The model as the command names it; null where it does not, or only a shell could tell. */
export function modelWord(plan: LaunchPlan, role: ModelRole): string | null {
  if (role === 'target') return plan.flags.get('model') ?? null;
  const config = plan.flags.get('draftConfig');
  return plan.flags.get('draft') ?? (config ? modelIn(config) : null);
}

function modelIn(json: string): string | null {
  try {
    const value: unknown = JSON.parse(json);
    const model = typeof value === 'object' && value !== null && 'model' in value ? value.model : null;
    return typeof model === 'string' && model !== '' ? model : null;
  } catch {
    return null;
  }
}

/** That the model is there, whole, and no larger than the cards. */
export const modelRules: readonly Rule[] = [
  { id: 'model', check: (sight) => modelDraft('target', 'model', sight) },
  { id: 'draft-model', check: (sight) => modelDraft('draft', 'draft model', sight) },
  {
    id: 'shards',
    check({ report }) {
      const { target } = report.models;
      if (target === undefined || target.shardsPromised === 0 || target.shards >= target.shardsPromised)
        return null;
      return warning(
        'weights',
        `only ${target.shards} of ${target.shardsPromised} shards are in ${target.path}`,
        'Finish the download or copy first.',
      );
    },
  },
  {
    id: 'weights',
    check(sight) {
      const share = weightsShareMiB(sight);
      const bytes = sight.report.models.target?.weightBytes ?? null;
      const cards = visibleCards(sight);
      const smallest = Math.min(...(cards ?? []).map(({ totalMiB }) => totalMiB ?? Number.POSITIVE_INFINITY));
      if (share === null || bytes === null || !Number.isFinite(smallest)) return null;
      const text = `${sizeText(bytes / 1024)} of weights, ${sizeText(share * 1024)} on each card of ${sizeText(smallest * 1024)}`;
      if (share <= smallest * 0.95) return ok('weights', text);
      return warning(
        'weights',
        `${text}: they cannot fit`,
        'Give more GPUs (a larger tensor-parallel size), or a quantised model.',
      );
    },
  },
  {
    id: 'hub-token',
    check({ report, plan }) {
      const word = modelWord(plan, 'target');
      if (word === null || report.models.target?.kind !== 'hub' || report.hasToken) return null;
      if (tokenNames.some((name) => plan.env[name] !== undefined)) return null;
      if (!gatedRepositories.some((start) => word.startsWith(start))) return null;
      return warning(
        'hub token',
        `${word} is given only to those who have accepted its licence, and no token is set`,
        'Set HF_TOKEN there, or log in: hf auth login.',
      );
    },
  },
];

const tokenNames = ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN', 'HUGGINGFACE_HUB_TOKEN'];

function modelDraft(role: ModelRole, subject: string, sight: Sight): Draft | null {
  const { plan, report } = sight;
  const flag = role === 'target' ? 'model' : 'draft';
  if (plan.flags.get(flag) === null) return unchecked(subject, 'only the shell can tell which one');
  const word = modelWord(plan, role);
  const model = report.models[role];
  if (word === null || model === undefined) return null;
  if (/^[a-z0-9]+:\/\//.test(word)) return unchecked(subject, `${word} is not on this host`);
  switch (model.kind) {
    case 'missing':
      return certain(sight)(subject, `there is no ${model.path}`, 'Correct the path, or mount its disk.');
    case 'file':
      return ok(subject, model.path);
    case 'cached':
      return ok(subject, `${word}, in the cache of the hub`);
    case 'folder':
      if (model.hasConfig || model.needsNoConfig || plan.engine?.pythonPackage === null)
        return ok(subject, model.path);
      return certain(sight)(
        subject,
        `${model.path} has no config.json`,
        'Is it the folder of the model itself?',
      );
    case 'hub':
      return fromHub(word, subject, sight);
  }
}

function fromHub(word: string, subject: string, sight: Sight): Draft {
  const elsewhere = ['SGLANG_USE_MODELSCOPE', 'VLLM_USE_MODELSCOPE'].some((name) =>
    isSet(variable(sight, name)),
  );
  if (elsewhere) return unchecked(subject, `${word} comes from ModelScope`);
  if (isSet(variable(sight, 'HF_HUB_OFFLINE'))) {
    return certain(sight)(
      subject,
      `${word} is neither a folder nor in the cache, and HF_HUB_OFFLINE is set`,
      'Download it first, or unset HF_HUB_OFFLINE.',
    );
  }
  const room = sight.report.hubRoom;
  const where =
    room === null
      ? ''
      : ` into ${room.path}${room.freeKiB === null ? '' : ` (${sizeText(room.freeKiB)} free)`}`;
  return warning(
    subject,
    `${word} is no folder there and not in the cache: it will be downloaded${where}`,
    'Download it before (hf download), or give the path of a folder.',
  );
}

const isSet = (value: string | null | undefined): boolean =>
  typeof value === 'string' && /^(?:1|true|yes|on)$/i.test(value);
