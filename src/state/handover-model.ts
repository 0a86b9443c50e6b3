import type { Marks } from '../domain/handover/marks.ts';
import { PANEL_PAGES, type PanelTemplates } from '../domain/handover/panel.ts';
import type { ListedView } from '../domain/handover/place.ts';
import type { Sheet } from '../domain/handover/sheet.ts';
import type { SheetFormat, SheetSource } from '../domain/handover/sheet-formats.ts';
import type { ListPlace } from './list.ts';

/** What `y` can copy, in the order of its menu. */
export const COPIES = ['value', 'row', 'command', 'curl', 'panel'] as const;
export type CopyId = (typeof COPIES)[number];

/** A row of the copy menu: the one line that would be copied, or why there is none. */
export type CopyOffer = { id: CopyId; text: string | null; whyNot: string; remark: string };

/** Whose rows are written: those of the view, or the marked ones. */
export type ExportSubject = 'view' | 'marks';

/** A file being written. The subscription that writes it runs as long as this is in the state. */
export type ExportJob = {
  id: number;
  /** As typed; the effect knows the directory. */
  path: string;
  format: SheetFormat;
  of: ExportSubject;
  sheet: Sheet;
  source: SheetSource;
  written: number;
  since: number;
};

export type ExportOutcome =
  | { kind: 'written'; path: string; rows: number; gaps: number; bytes: number }
  /** Nothing was written; `free` is a name that is free. */
  | { kind: 'exists'; path: string; free: string }
  | { kind: 'failed'; path: string; why: string };

/** What will be added to the notebook, less the note. */
export type Finding = {
  title: string;
  /** The time it is about, Unix ms; `to: null` = a moment. */
  time: { from: number; to: number | null };
  /** How many requests a log had in that time. */
  flow: readonly string[];
  /** Some rows of the view as a Markdown table, and which ones in words. */
  table: readonly string[];
  which: string;
  /** How complete it is, a clause each. */
  coverage: readonly string[];
  command: string | null;
  /** Addresses are written as pseudonyms. */
  isMasked: boolean;
};

export type HandoverOverlay =
  | ({ kind: 'copyMenu'; offers: readonly CopyOffer[] } & ListPlace)
  | ({ kind: 'exportMenu'; of: ExportSubject } & ListPlace)
  | ({ kind: 'marks' } & ListPlace)
  /** `asked`: the view that the next `x` deletes, and when the first `x` came, Unix ms. */
  | ({ kind: 'viewList'; asked: { name: string; at: number } | null } & ListPlace)
  | { kind: 'finding'; finding: Finding };

export type HandoverState = {
  /** The flags that a colleague's start needs, too: `--demo --seed 7`, `--profile NAME`. */
  flags: readonly string[];
  /** Where requests go, without credentials, for the copied request. */
  urls: { base: string; logging: string };
  /** The addresses of the dashboard's pages. */
  panel: PanelTemplates;
  /** The last thing copied: the copy menu opens there. */
  copied: CopyId | null;
  exporting: ExportJob | null;
  /** Numbers exports, so that news of an older one is dropped. */
  exports: number;
  marks: Marks;
  views: {
    /** One's own, then those of a shared file. */
    items: readonly ListedView[];
    /** False until the file is read. */
    isRead: boolean;
    /** Why one's own file cannot be written to, or the shared one not read; null = it can. */
    trouble: string | null;
    sharedTrouble: string | null;
  };
};

export const NO_HANDOVER: HandoverState = {
  flags: [],
  urls: { base: '', logging: '' },
  panel: PANEL_PAGES,
  copied: null,
  exporting: null,
  exports: 0,
  marks: new Map(),
  views: { items: [], isRead: false, trouble: null, sharedTrouble: null },
};
