/** The launches that `firedup demo` can play; `scenarios.ts` has what they are made of. */
export const scenarioNames = [
  'story',
  'ready',
  'missing-method',
  'context-length',
  'oom',
  'stall',
  'silent-death',
  'late-log',
] as const;

export type ScenarioName = (typeof scenarioNames)[number];
