/** Columns and rows of the terminals in which every view is looked at, from a whole monitor to the smallest that shows one. */
export const sizes = [
  [200, 50],
  [120, 40],
  [100, 30],
  [80, 24],
  [40, 12],
] as const;
