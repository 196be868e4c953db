import { bar, sparkLine } from './glyphs.js';
import type { Painter, Row } from './painter.js';
import type { StyleName } from './theme.js';

/** What the screen is made of, in the colours of `painter`, on rows of `width` columns. */
export function previewRows(painter: Painter, width: number): readonly string[] {
  return samples(painter).map((row) => painter.line([['text', '  '], ...row], width).trimEnd());
}

function samples({ glyphs }: Painter): readonly Row[] {
  const { filled, empty } = bar(0.45, 16, glyphs);
  const memory = bar(0.7, 12, glyphs);
  const spark = sparkLine([0.1, 0.2, 0.4, 0.5, 0.7, 0.7, 0.9, 1], 8, glyphs);
  const rule = glyphs.border.horizontal;
  return [
    [
      ['brand', ' firedup '],
      ['strong', ' gpu-17'],
      ['dim', ` ${glyphs.dot} `],
      ['text', 'SGLang 0.5.9'],
      ['dim', '   '],
      ['good', `${glyphs.link} connected`],
      ['dim', '   '],
      ['warn', `${glyphs.link} link down`],
    ],
    badges.flatMap(
      ([style, mark, word]): Row => [
        [style, ` ${glyphs[mark]} ${word} `],
        ['dim', ' '],
      ],
    ),
    [
      ['borderFocus', `${rule}${rule} `],
      ['title', 'Phases'],
      ['borderFocus', ` ${rule.repeat(20)}`],
      ['dim', '  '],
      ['border', `${rule}${rule} `],
      ['title', 'GPUs'],
      ['border', ` ${rule.repeat(20)}`],
    ],
    [
      ['good', glyphs.done],
      ['text', ' Join ranks '],
      ['dim', '6.1s  '],
      ['busy', glyphs.active[0] ?? glyphs.pending],
      ['strong', ' Load weights '],
      ['barActive', filled],
      ['barTrack', empty],
      ['text', ' 29/64 '],
      ['bad', `${glyphs.failed} Capture graphs `],
      ['dim', `${glyphs.pending} Warm up`],
    ],
    [
      ['text', '0 '],
      ['bar', memory.filled],
      ['barTrack', memory.empty],
      ['text', ' 99,840 MiB '],
      ['spark', spark],
      ['note', '  disk 1.2 GB/s'],
    ],
    [
      ['logNumber', ' 41 '],
      ['logMilestone', `${glyphs.milestone} Load weight begin `],
      ...([0, 1, 2, 3, 4, 5] as const).map((rank) => [rankStyles[rank], `TP${rank} `] as const),
    ],
    [
      ['logNumber', ' 42 '],
      ['logPrefix', '[09:12:40] '],
      ['logInfo', 'an info, '],
      ['logProgress', 'progress 45%, '],
      ['logWarning', `${glyphs.warning} a warning, `],
      ['logError', `${glyphs.failed} an error, `],
      ['match', 'a match'],
    ],
    [
      ['chosen', `${glyphs.chosen} chosen`],
      ['dim', '   '],
      ['key', 'K'],
      ['dim', ' kill  '],
      ['key', '/'],
      ['dim', ' filter  '],
      ['text', 'typed'],
      ['cursor', ' '],
    ],
  ];
}

const rankStyles = ['rank0', 'rank1', 'rank2', 'rank3', 'rank4', 'rank5'] as const;

const badges: readonly (readonly [
  StyleName,
  'done' | 'failed' | 'pending' | 'warning' | 'stopped' | 'unknown',
  string,
])[] = [
  ['badgeReady', 'done', 'READY'],
  ['badgeLoading', 'pending', 'LOADING'],
  ['badgeStalled', 'warning', 'STALLED'],
  ['badgeCrashed', 'failed', 'CRASHED'],
  ['badgeStopped', 'stopped', 'STOPPED'],
  ['badgeUnknown', 'unknown', 'UNKNOWN'],
];
