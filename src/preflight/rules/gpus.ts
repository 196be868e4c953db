import { isAtLeast } from '../../triage/clock.js';
import type { Card } from '../host-report.js';
import { processText } from '../people.js';
import { numberFlag } from '../plan.js';
import { cardsToUse, gpusWanted, needsGpu, ranksOfModel, visibleCards } from '../ranks.js';
import {
  blocker,
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

/** The driver, how many GPUs there are, and who holds their memory. */
export const gpuRules: readonly Rule[] = [
  {
    id: 'driver',
    check(sight) {
      const { report, limitSeconds } = sight;
      const { gpus, amd } = report;
      const isNeeded = needsGpu(sight);
      if (report.unanswered.includes('gpus') || isHung(sight)) {
        const text = `nvidia-smi did not answer within ${limitSeconds} s`;
        return warning(
          'driver',
          text,
          'The driver may hang (dmesg), or load anew at each call: nvidia-smi -pm 1.',
        );
      }
      if (gpus.status === 'ok') {
        const [first] = gpus.cards;
        return ok('driver', `${gpus.driver}, ${gpus.cards.length} × ${first?.name ?? 'GPU'}`);
      }
      if (gpus.status === 'failed') {
        const known = driverFaults.find(({ pattern }) => new RegExp(pattern, 'i').test(gpus.reason));
        const text = `nvidia-smi: ${gpus.reason || `status ${gpus.code}`}`;
        const tell = isNeeded && known !== undefined ? blocker : warning;
        return tell('driver', text, known?.remedy ?? 'See dmesg and nvidia-smi there.');
      }
      if (amd.gpus > 0 || amd.tool !== null) {
        const tool = amd.tool === null ? '' : `, ${amd.tool}: ${amd.answer || `status ${amd.code}`}`;
        return ok('driver', `${amd.gpus} AMD GPU${amd.gpus === 1 ? '' : 's'}${tool}`);
      }
      if (!isNeeded) return null;
      return warning(
        'driver',
        'there is neither nvidia-smi nor a GPU of AMD',
        'Is this the GPU host? In a container: --gpus all.',
      );
    },
  },
  {
    id: 'gpu-count',
    check(sight) {
      const { plan, report } = sight;
      const wanted = gpusWanted(sight);
      const visible = visibleCards(sight);
      if (!needsGpu(sight) || report.gpus.status !== 'ok') return null;
      if (wanted === null || visible === null)
        return unchecked('GPUs', 'how many it takes cannot be told from its command');
      const from = numberFlag(plan, 'baseGpu', 0) ?? 0;
      const there = Math.max(0, visible.length - from);
      const shown = variable(sight, 'CUDA_VISIBLE_DEVICES');
      const of = shown === undefined ? `${there} here` : `${there} by CUDA_VISIBLE_DEVICES=${shown}`;
      if (there >= wanted) return ok('GPUs', `${wanted} wanted, ${of}`);
      // Ray may find the others on other hosts.
      const tell = plan.flags.get('executor') === 'ray' || !plan.flags.isWhole ? warning : certain(sight);
      const flag = plan.engine?.flags.tensorParallel?.find((name) => /^--tp$|--tensor/.test(name));
      const fewer = 2 ** Math.floor(Math.log2(Math.max(1, there)));
      const alone = ranksOfModel(sight) === wanted && numberFlag(plan, 'pipelineParallel', 1) === 1;
      if (flag === undefined || there === 0 || !alone || sight.isFixed) {
        const remedy = sight.isFixed
          ? 'Make it anew with more GPUs.'
          : 'Give smaller parallel sizes, or more GPUs.';
        return tell('GPUs', `${wanted} wanted, ${of}`, remedy);
      }
      return tell('GPUs', `${wanted} wanted, ${of}`, `Give ${flag} ${fewer}, or more GPUs.`, {
        args: [flag, String(fewer)],
      });
    },
  },
  {
    id: 'gpu-memory',
    check(sight) {
      if (!needsGpu(sight)) return null;
      const cards = cardsToUse(sight);
      if (cards === null || cards.length === 0) return null;
      const held = cards.filter(isHeld);
      if (held.length === 0)
        return ok('GPU memory', `free on ${cards.length === 1 ? 'the card' : `all ${cards.length}`}`);
      const free = (visibleCards(sight) ?? []).filter((card) => !isHeld(card)).map(({ index }) => index);
      const choice =
        !sight.isFixed && free.length >= cards.length ? free.slice(0, cards.length).join(',') : null;
      return held.map((card) => heldCard(card, sight, choice));
    },
  },
];

/** More than the driver keeps for itself. */
const isHeld = ({ usedMiB, totalMiB }: Card): boolean =>
  usedMiB !== null && usedMiB > Math.max(1024, (totalMiB ?? 0) * 0.02);

function heldCard(card: Card, sight: Sight, choice: string | null): Draft {
  const { report, plan } = sight;
  const users = report.apps.filter(({ uuid }) => uuid === card.uuid);
  const who =
    users.length === 0
      ? 'no process that can be seen from here'
      : users.map(({ pid }) => processText(report, pid)).join(', ');
  const total = card.totalMiB ?? 0;
  const used = card.usedMiB ?? 0;
  const text = `${gib(used)} of ${gib(total)} held by ${who}`;
  const [first] = users;
  const end = first === undefined ? 'End what holds it' : `End it (firedup kill --pid ${first.pid})`;
  const remedy = choice === null ? `${end}.` : `${end}, or take free cards: CUDA_VISIBLE_DEVICES=${choice}.`;
  const tell = whyTooLittle(total - used, total, sight) === null ? warning : certain(sight);
  const why = whyTooLittle(total - used, total, sight);
  return tell(
    `GPU ${card.index}`,
    why === null ? text : `${text}; ${why}`,
    remedy,
    choice === null || plan.isUncertain ? undefined : { env: { CUDA_VISIBLE_DEVICES: choice } },
  );
}

/** Why what is left is certainly not enough; null where it may be. */
function whyTooLittle(freeMiB: number, totalMiB: number, sight: Sight): string | null {
  const { engine, flags } = sight.plan;
  const version = sight.report.package?.version;
  const share = weightsShareMiB(sight);
  if (share !== null && share > freeMiB) return `its share of the weights alone is ${gib(share)}`;
  const since = engine?.refusesBusyGpuSince;
  if (since === undefined || version === undefined || !isAtLeast(version, since)) return null;
  const given = flags.get('memFraction');
  const fraction = given === undefined ? (engine?.memFractionDefault ?? 0) : Number(given);
  return freeMiB < fraction * totalMiB
    ? `${engine?.title} wants ${Math.round(fraction * 100)} % of the card free`
    : null;
}

/** What one card has to hold of the weights on disk; null where they may take another form in memory. */
export function weightsShareMiB(sight: Sight): number | null {
  const { plan, report } = sight;
  const ranks = ranksOfModel(sight);
  const bytes = report.models.target?.weightBytes ?? null;
  const changes = ['quantization', 'loadFormat', 'cpuOffload'] as const;
  if (ranks === null || bytes === null || changes.some((role) => plan.flags.get(role) !== undefined))
    return null;
  return bytes / ranks / 1024 ** 2;
}

const gib = (mib: number): string => sizeText(mib * 1024);

/** Killed by our own limit, without a word. */
const isHung = ({ report: { gpus } }: Sight): boolean =>
  gpus.status === 'failed' && gpus.reason === '' && [124, 137].includes(gpus.code);

/** What nvidia-smi says when no CUDA program can work either. */
const driverFaults: readonly { readonly pattern: string; readonly remedy: string }[] = [
  {
    pattern: 'Driver/library version mismatch',
    remedy: 'The driver was upgraded under the loaded module: reboot, or unload and load the nvidia modules.',
  },
  {
    pattern: "couldn't communicate with the NVIDIA driver",
    remedy: 'The module is not loaded: modprobe nvidia, or install the driver for this kernel.',
  },
  {
    pattern: 'No devices were found',
    remedy: 'The driver sees no GPU: dmesg, nvidia-smi -q; a container needs --gpus all.',
  },
  {
    pattern: 'GPU is lost|fallen off the bus|Unable to determine the device handle',
    remedy: 'A card has gone: drain the host and reboot it.',
  },
];
