import { flowRows } from './flow.js';
import { bar, type Glyphs, outcomeMarks, sparkLine } from './glyphs.js';
import { createPainter, type Painter, type Row, type Segment } from './painter.js';
import { type ServerWord, serverWords } from './picker-model.js';
import { wrapWords } from './text.js';
import type { ColorDepth, StyleName, Theme } from './theme.js';

/** Each theme by its name and what it is for, with what the screen is made of in its colours; rows of at most `width`. */
export function themesPage(
  themes: readonly Theme[],
  look: {
    readonly depth: ColorDepth;
    readonly glyphs: Glyphs;
    readonly sanitize: (text: string) => string;
  },
  width: number,
): readonly string[] {
  return themes.flatMap((theme) => {
    const painter = createPainter({ theme, ...look });
    const title = flowRows(
      [[['title', theme.name]], ...wrapWords(theme.title, width).map((line): Row => [['dim', line]])],
      ['dim', '  '],
      width,
      painter,
    );
    return [...title.map((row) => painter.line(row, width).trimEnd()), ...previewRows(painter, width), ''];
  });
}

/** Parts that have no room beside the others stand in a row of their own. */
function previewRows(painter: Painter, width: number): readonly string[] {
  return samples(painter)
    .flatMap(({ parts, gap }) => flowRows(parts, gap, width - indent.length, painter))
    .map((row) => painter.line([['text', indent], ...row], width).trimEnd());
}

const indent = '  ';

interface Sample {
  readonly parts: readonly Row[];
  readonly gap: Segment;
}

function samples({ glyphs }: Painter): readonly Sample[] {
  const marks = outcomeMarks(glyphs);
  const { filled, empty } = bar(0.45, 16, glyphs);
  const memory = bar(0.7, 12, glyphs);
  const spark = sparkLine([0.1, 0.2, 0.4, 0.5, 0.7, 0.7, 0.9, 1], 8, glyphs);
  const rule = glyphs.border.horizontal;
  const apart: Segment = ['dim', '   '];
  const blank: Segment = ['dim', ' '];
  return [
    {
      gap: apart,
      parts: [
        [
          ['brand', ' firedup '],
          ['strong', ' gpu-17'],
          ['dim', ` ${glyphs.dot} `],
          ['text', 'SGLang 0.5.9'],
        ],
        [['good', `${glyphs.link} connected`]],
        [['warn', `${glyphs.link} link down`]],
      ],
    },
    {
      gap: blank,
      parts: badges.map(([style, word]): Row => [[style, ` ${marks[word]} ${serverWords[word]} `]]),
    },
    {
      gap: apart,
      parts: [
        [
          ['borderFocus', `${rule}${rule} `],
          ['title', 'Phases'],
          ['borderFocus', ` ${rule.repeat(20)}`],
        ],
        [
          ['border', `${rule}${rule} `],
          ['title', 'GPUs'],
          ['border', ` ${rule.repeat(20)}`],
        ],
      ],
    },
    {
      gap: apart,
      parts: [
        [
          ['good', glyphs.done],
          ['text', ' Join ranks '],
          ['dim', '6.1s'],
        ],
        [
          ['busy', glyphs.active[0] ?? glyphs.pending],
          ['strong', ' Load weights '],
          ['barActive', filled],
          ['barTrack', empty],
          ['text', ' 29/64'],
        ],
        [['bad', `${glyphs.failed} Capture graphs`]],
        [['dim', `${glyphs.pending} Warm up`]],
      ],
    },
    {
      gap: apart,
      parts: [
        [
          ['text', '0 '],
          ['bar', memory.filled],
          ['barTrack', memory.empty],
          ['text', ' 99,840 MiB '],
          ['spark', spark],
        ],
        [['note', 'disk 1.2 GB/s']],
      ],
    },
    {
      gap: blank,
      parts: [
        [
          ['logNumber', '41 '],
          ['logMilestone', `${glyphs.milestone} Load weight begin`],
        ],
        ...([0, 1, 2, 3, 4, 5] as const).map((rank): Row => [[rankStyles[rank], `TP${rank}`]]),
      ],
    },
    {
      gap: blank,
      parts: [
        [
          ['logNumber', '42 '],
          ['logPrefix', '[09:12:40] '],
          ['logInfo', 'an info,'],
        ],
        [['logProgress', 'progress 45%,']],
        [['logWarning', '! a warning,']],
        [['logError', `${glyphs.failed} an error,`]],
        [['match', 'a match']],
      ],
    },
    {
      gap: apart,
      parts: [
        [['chosen', `${glyphs.chosen} chosen`]],
        [
          ['key', 'K'],
          ['dim', ' kill'],
        ],
        [
          ['key', '/'],
          ['dim', ' filter'],
        ],
        [
          ['text', 'typed'],
          ['cursor', ' '],
        ],
      ],
    },
  ];
}

const rankStyles = ['rank0', 'rank1', 'rank2', 'rank3', 'rank4', 'rank5'] as const;

const badges = [
  ['badgeReady', 'ready'],
  ['badgeLoading', 'loading'],
  ['badgeStalled', 'stalled'],
  ['badgeCrashed', 'crashed'],
  ['badgeStopped', 'stopped'],
  ['badgeUnknown', 'unknown'],
] as const satisfies readonly (readonly [StyleName, ServerWord])[];
