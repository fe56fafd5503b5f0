// Lines of a log, of which only those in sight are in the document; the newest stay in sight while the end is.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type LogLine, piecesOf } from './log-lines.ts';

interface LineListProps {
  readonly lines: readonly LogLine[];
  /** What is marked. */
  readonly searched: string;
  readonly showsTimes: boolean;
  /** Containers whose lines are told apart; none if there is only one. */
  readonly containers: readonly string[];
}

const LINE_HEIGHT = 19;
/** Lines beyond the edges, so that scrolling never shows a gap. */
const MARGIN = 20;
/** What scrolls must be reached by keyboard. */
const BY_KEYBOARD = { tabIndex: 0 };

export function LineList({ lines, searched, showsTimes, containers }: LineListProps) {
  const element = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const list = element.current!;
    const measure = (): void => {
      isAtEnd.current = list.scrollTop + list.clientHeight >= list.scrollHeight - LINE_HEIGHT;
      setView({ top: list.scrollTop, height: list.clientHeight });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(list);
    list.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      list.removeEventListener('scroll', measure);
    };
  }, []);
  useLayoutEffect(() => {
    if (isAtEnd.current) element.current!.scrollTop = element.current!.scrollHeight;
  }, [lines]);
  const first = Math.max(0, Math.floor(view.top / LINE_HEIGHT) - MARGIN);
  const last = Math.min(lines.length, Math.ceil((view.top + view.height) / LINE_HEIGHT) + MARGIN);
  return (
    <div ref={element} class="log" role="log" aria-label="Log" {...BY_KEYBOARD}>
      <div style={{ height: `${lines.length * LINE_HEIGHT}px` }}>
        <div style={{ transform: `translateY(${first * LINE_HEIGHT}px)` }}>
          {lines.slice(first, last).map((line, at) => (
            <div key={first + at} class="line">
              {showsTimes && <span class="weak">{line.time.slice(0, 23).replace('T', ' ')} </span>}
              {containers.length > 0 && (
                <span class={`container owner-${containers.indexOf(line.container) % 8}`}>{line.container} </span>
              )}
              {piecesOf(line.text, searched).map(({ text, isFound }, piece) =>
                isFound ? <mark key={piece}>{text}</mark> : text,
              )}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
