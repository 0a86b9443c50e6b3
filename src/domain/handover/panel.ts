/**
 * The pages of the platform's dashboard and where they are. The addresses of zones and storage zones stand in public code;
 * none does of Shield's pages, in whose place the zone's page is known.
 */
export const PANEL_PAGES = {
  zone: 'https://dash.bunny.net/cdn/{id}',
  storage: 'https://dash.bunny.net/storage/{id}/file-manager',
  shield: null,
  rule: null,
  event: null,
} as const satisfies Record<string, string | null>;

export type PanelPage = keyof typeof PANEL_PAGES;

/** The address of each page, with `{id}` and the like in place of what names the thing; null: unknown. */
export type PanelTemplates = Readonly<Record<PanelPage, string | null>>;

/** What an address can name: the pull or storage zone, its Shield zone, a rule, an event; each as the platform sent it. */
export const PANEL_NAMES = ['id', 'shield', 'rule', 'event'] as const;

export type PanelThing = Partial<Record<(typeof PANEL_NAMES)[number], string>>;

/** A template is an address of https in printable ASCII; names of the list above stand in braces behind the host. */
export function isPanelTemplate(text: string): boolean {
  const filled = text.replace(/\{([a-z]+)\}/g, (all, name) => (isName(name) ? 'x' : all));
  return /^https:\/\/[\w.-]+(?::\d+)?\/[\x21-\x7e]*$/.test(text) && !/[{}]/.test(filled);
}

/** The first of the pages that has an address, and all names in it. A name is escaped whatever it holds. */
export function panelAddress(
  templates: PanelTemplates,
  pages: readonly PanelPage[],
  thing: PanelThing,
): { page: PanelPage; url: string } | null {
  for (const page of pages) {
    const url = templates[page]?.replace(/\{([a-z]+)\}/g, (_, name) =>
      escaped(thing[name as keyof PanelThing]),
    );
    if (url !== undefined && !url.includes(MISSING)) return { page, url };
  }
  return null;
}

/** No address holds a blank. */
const MISSING = ' ';

/** One part of a path. Of dots alone it would be another folder, escaped or not, so it counts as missing. */
function escaped(text: string | undefined): string {
  if (text === undefined || /^\.*$/.test(text)) return MISSING;
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
}

function isName(name: string): boolean {
  return (PANEL_NAMES as readonly string[]).includes(name);
}
