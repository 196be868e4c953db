/** The last `count` of a list; none of them for 0, where `slice(-0)` would be all. */
export const lastOf = <Item>(list: readonly Item[], count: number): readonly Item[] =>
  count === 0 ? [] : list.slice(-count);
