// The difference between two texts, line by line, long stretches without a change folded.

import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'preact/hooks';
import { editorBasics } from './editor.tsx';

interface DiffProps {
  readonly label: string;
  readonly from: string;
  readonly to: string;
}

export function Diff({ label, from, to }: DiffProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = new EditorView({
      parent: element.current!,
      state: EditorState.create({
        doc: to,
        extensions: [
          ...editorBasics(false),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          unifiedMergeView({ original: from, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 6 } }),
        ],
      }),
    });
    return () => view.destroy();
  }, [from, to, label]);
  if (from === to) return <p class="empty">Nothing differs.</p>;
  return <div class="editor diff" ref={element} />;
}
