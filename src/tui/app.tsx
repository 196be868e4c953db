import { type Key, useInput } from 'ink';
import { slowWords } from '../core/slow-search.js';
import type { Chrome } from './chrome.js';
import type { InputLine } from './input-line.js';
import type { KeyContext } from './keymap.js';
import { type Layout, tooSmallWords } from './layout.js';
import type { Painter } from './painter.js';
import { Rows } from './panes/box.js';
import { Footer } from './panes/footer.js';
import { Gpus } from './panes/gpus.js';
import { Header } from './panes/header.js';
import { type Insert, InsertPane } from './panes/insert.js';
import { Phases } from './panes/phases.js';
import { Status } from './panes/status.js';

export interface AppProps {
  readonly chrome: Chrome;
  readonly layout: Layout | { readonly kind: 'too-small' };
  readonly insert: Insert | null;
  readonly insertTop: number;
  readonly context: KeyContext;
  readonly input: InputLine;
  readonly painter: Painter;
  readonly columns: number;
  readonly rows: number;
  readonly onInput: (input: string, key: Key) => void;
}

/** All that stands around the log; its lines are given to the screen beside this. Whoever mounts it provides the surface. */
export function App(props: AppProps) {
  const { layout, columns, rows } = props;
  useInput(props.onInput);
  if (layout.kind === 'too-small') {
    const words = tooSmallWords(columns, rows);
    const text = props.painter.line([['warn', words]], columns);
    return <Rows rect={{ left: 0, top: 0, width: columns, height: rows }} rows={[text]} />;
  }
  // There a notice takes no key its place.
  const hasRoomBelow = layout.status.height > 1;
  return (
    <>
      <Header
        header={props.chrome.header}
        status={props.chrome.status}
        rect={layout.header}
        painter={props.painter}
      />
      <Body {...props} layout={layout} />
      <Status
        status={props.chrome.status}
        notice={hasRoomBelow ? props.chrome.notice : null}
        rect={layout.status}
        painter={props.painter}
      />
      <Footer
        context={props.context}
        notice={hasRoomBelow ? null : props.chrome.notice}
        input={props.input}
        inputError={filterTrouble(props.chrome)}
        rect={layout.footer}
        painter={props.painter}
      />
    </>
  );
}

/** What is wrong with the filter that is typed. */
const filterTrouble = ({ filter, slow }: Chrome): string | null =>
  filter.error ?? (slow === null ? null : slowWords(slow, false));

function Body({ chrome, layout, insert, insertTop, painter }: AppProps & { readonly layout: Layout }) {
  const { phases, gpus } = layout;
  const beat = Math.floor((chrome.status.elapsedMs ?? 0) / 1000);
  return (
    <>
      {phases !== null && (
        <Phases
          phases={chrome.phases}
          top={chrome.phasesTop}
          rect={phases}
          focused={chrome.focus === 'phases'}
          outcome={chrome.status.outcome}
          beat={beat}
          isOld={chrome.isOld}
          painter={painter}
        />
      )}
      {gpus !== null && (
        <Gpus gpus={chrome.gpus} rect={gpus} focused={chrome.focus === 'gpus'} painter={painter} />
      )}
      {layout.insert !== null && insert !== null && (
        <InsertPane insert={insert} top={insertTop} rect={layout.insert} painter={painter} />
      )}
    </>
  );
}
