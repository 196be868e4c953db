import { Transform } from 'ink';
import { memo } from 'react';
import { blanks } from './text.js';

/**
 * One row of finished text. The child never changes, so that Ink neither measures nor wraps nor caches the text
 * itself (its caches keep every string for ever); `text` must be exactly `width` columns wide.
 */
export const Line = memo(function Line({ text, width }: { readonly text: string; readonly width: number }) {
  return <Transform transform={() => text}>{blanks(width)}</Transform>;
});
