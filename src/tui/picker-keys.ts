/** What a key does in the picker. */
export type PickerAction =
  | { readonly kind: 'move'; readonly rows: number }
  | { readonly kind: 'open' | 'refresh' | 'theme' | 'leave' | 'redraw' | 'suspend' | 'interrupt' };

export interface PickerKey {
  readonly keys: readonly string[];
  readonly help: string;
  readonly action: PickerAction;
  /** Short word for the key line. */
  readonly footer?: string;
}

/** The keys of the picker: its key line and docs/keys.md are drawn from this table. */
export const pickerKeys: readonly PickerKey[] = [
  { keys: ['enter'], help: 'watch the chosen one', action: { kind: 'open' }, footer: 'watch' },
  { keys: ['r'], help: 'ask all of them again', action: { kind: 'refresh' }, footer: 'ask again' },
  { keys: ['q'], help: 'leave', action: { kind: 'leave' }, footer: 'leave' },
  { keys: ['j', 'down'], help: 'the next one', action: { kind: 'move', rows: 1 }, footer: 'next' },
  { keys: ['k', 'up'], help: 'the one before', action: { kind: 'move', rows: -1 }, footer: 'previous' },
  { keys: ['page-down', 'ctrl-d'], help: 'ten further', action: { kind: 'move', rows: 10 } },
  { keys: ['page-up', 'ctrl-u'], help: 'ten back', action: { kind: 'move', rows: -10 } },
  { keys: ['G', 'end'], help: 'the last one', action: { kind: 'move', rows: Number.POSITIVE_INFINITY } },
  { keys: ['g', 'home'], help: 'the first one', action: { kind: 'move', rows: Number.NEGATIVE_INFINITY } },
  { keys: ['T'], help: 'next theme', action: { kind: 'theme' }, footer: 'theme' },
  { keys: ['ctrl-c'], help: 'leave', action: { kind: 'interrupt' } },
  { keys: ['ctrl-l'], help: 'draw everything again', action: { kind: 'redraw' } },
  { keys: ['ctrl-z'], help: 'suspend; `fg` comes back', action: { kind: 'suspend' } },
];

/** What a pressed key does; null where it does nothing. */
export const pickerAction = (name: string): PickerAction | null =>
  pickerKeys.find(({ keys }) => keys.includes(name))?.action ?? null;
