import type { PickerModel, PickerRow } from '../../src/tui/picker-model.js';
import { wideNames } from './stories/wide-views.js';

const source = './firedup.yaml';

const askedAt = '18:25:10';

const row = (server: string, host: string, more: Partial<PickerRow> = {}): PickerRow => ({
  server,
  host,
  word: 'asking',
  attempt: '',
  since: '',
  detail: '',
  ...more,
});

const answered: readonly PickerRow[] = [
  row('big', 'gpu-17', { word: 'ready', attempt: '3', since: '2.1 h', detail: 'the engine says so' }),
  row('small', 'gpu-17', { word: 'loading', attempt: '1', since: '4 min', detail: 'Load weights 45 %' }),
  row('draft', 'gpu-18', {
    word: 'crashed',
    attempt: '12',
    since: '8 min',
    detail:
      "AttributeError: 'LargeForConditionalGeneration' object has no attribute 'set_eagle3_layers_to_capture'",
  }),
  row('moe', 'gpu-18', {
    word: 'stalled',
    attempt: '2',
    since: '31 min',
    detail: 'nothing moves in Join ranks',
  }),
  row('old', 'gpu-19', { word: 'stopped', attempt: '7', since: '3 d', detail: 'killed by firedup' }),
  row('other', 'gpu-19', { word: 'unknown', detail: 'There was no answer within 30 s.' }),
  row('later', 'gpu-20', { word: 'none', detail: 'firedup launch later starts it' }),
  row('far', 'gpu-21', { word: 'offline', detail: 'Nothing listens on gpu-21:22 (connection refused).' }),
  row('locked', 'ml@gpu-22:2222', {
    word: 'login',
    detail: 'The key ~/.ssh/id_ed25519 needs a passphrase and there is no terminal to ask on.',
  }),
];

const model = (rows: readonly PickerRow[]): PickerModel => ({ source, rows, askedAt });

/** What the picker can show: nobody has answered, some have, all have; one, many, long and wide names. */
const pickerViews = {
  asked: () => model(answered.map(({ server, host }) => row(server, host))),
  partly: () => model(answered.map((each, index) => (index < 3 ? each : row(each.server, each.host)))),
  answered: () => model(answered),
  again: () =>
    model(answered.map((each, index) => (index % 3 === 0 ? each : { ...each, isAskedAgain: true }))),
  one: () => model(answered.slice(2, 3)),
  many: () =>
    model(
      Array.from({ length: 60 }, (_, index) => {
        const each = answered[index % answered.length];
        return { ...row('', ''), ...each, server: `target-${index}`, host: `gpu-${index}` };
      }),
    ),
  'long-names': () =>
    model(
      answered.map((each, index) => ({
        ...each,
        server: `qwen-like-large-moe-480b-eagle3-production-${index}`,
        host: `ml@h200-rack3-17.cluster-${index}.datacentre.example.org:2222`,
      })),
    ),
  'wide-names': () =>
    model(
      answered.map((each, index) => ({
        ...each,
        server: wideNames[index % wideNames.length] ?? '',
        host: wideNames[(index + 3) % wideNames.length] ?? '',
        detail: `${wideNames[(index + 5) % wideNames.length]} ${each.detail}`,
      })),
    ),
} satisfies Readonly<Record<string, () => PickerModel>>;

export type PickerViewName = keyof typeof pickerViews;

export const pickerViewNames = Object.keys(pickerViews) as readonly PickerViewName[];

export const pickerModelOf = (name: PickerViewName): PickerModel => pickerViews[name]();
