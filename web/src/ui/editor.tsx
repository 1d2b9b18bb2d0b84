// The editor: CodeMirror with line numbers, faults at their lines, and no surprises.
import { javascript } from "@codemirror/lang-javascript";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { indentWithTab } from "@codemirror/commands";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import { useEffect, useRef } from "preact/hooks";

/** Something to mark. */
export interface Mark {
  /** From 1; 0 marks the first line. */
  line: number;
  /** From 1; 0 marks the whole line. */
  column: number;
  text: string;
  severity: "error" | "warning";
}

export interface EditorProps {
  id: string;
  label: string;
  value: string;
  language: "javascript" | "toml";
  marks?: Mark[];
  /** Brings the first fault into sight whenever there are new marks. */
  jumps?: boolean;
  /** Called on every change by the user. */
  onChange(text: string): void;
  /** Ctrl-Enter or Cmd-Enter. */
  onRun?(): void;
}

const style = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--series-3)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--series-2)" },
  { tag: [tags.number, tags.bool, tags.null], color: "color-mix(in srgb, var(--series-1) 80%, var(--text))" },
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  { tag: [tags.function(tags.variableName), tags.propertyName, tags.heading, tags.atom], color: "var(--series-0)" },
]);

const theme = EditorView.theme({
  "&": { backgroundColor: "var(--panel)", color: "var(--text)", border: "1px solid var(--line)", borderRadius: "8px" },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
  ".cm-scroller": { font: "13px/1.5 ui-monospace, monospace", minHeight: "18rem", maxHeight: "60vh" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--back)", color: "var(--quiet)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 8%, transparent)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--accent) 28%, transparent) !important" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--text)", border: "1px solid var(--line)" },
});

export function Editor(props: EditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const parent = box.current;
    if (!parent) return;
    const language: Extension = props.language === "javascript" ? javascript() : StreamLanguage.define(toml);
    const changed = EditorView.updateListener.of((update) => {
      if (update.docChanged) latest.current.onChange(update.state.doc.toString());
    });
    const run = keymap.of([{ key: "Mod-Enter", run: () => (latest.current.onRun?.(), true) }]);
    const label = EditorView.contentAttributes.of({ "aria-label": props.label, id: props.id, tabindex: "0" });
    view.current = new EditorView({
      parent,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [run, basicSetup, new Compartment().of(language), keymap.of([indentWithTab]), lintGutter(), syntaxHighlighting(style), theme, label, changed],
      }),
    });
    return () => {
      view.current?.destroy();
      view.current = null;
    };
  }, [props.language]);

  // A text from elsewhere (load, restore, share link) replaces the document; typing does not.
  useEffect(() => {
    const editor = view.current;
    if (editor && editor.state.doc.toString() !== props.value) {
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: props.value } });
    }
  }, [props.value]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    editor.dispatch(setDiagnostics(editor.state, (props.marks ?? []).map((mark) => place(editor, mark))));
  }, [props.marks, props.value]);

  useEffect(() => {
    const editor = view.current;
    const fault = props.marks?.find((mark) => mark.severity === "error");
    if (!editor || !fault || !props.jumps) return;
    editor.dispatch({ effects: EditorView.scrollIntoView(place(editor, fault).from, { y: "center" }) });
  }, [props.marks]);

  return <div class="editor" ref={box} />;
}

function place(editor: EditorView, mark: Mark): Diagnostic {
  const { doc } = editor.state;
  const line = doc.line(Math.min(Math.max(mark.line, 1), doc.lines));
  const from = Math.min(line.from + Math.max(mark.column - 1, 0), line.to);
  return { from, to: Math.max(line.to, from), severity: mark.severity, message: mark.text };
}
