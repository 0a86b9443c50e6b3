/** What a line of text at the bottom of the screen is for. */
export type PromptKind =
  | 'narrow'
  | 'zonePattern'
  | 'find'
  | 'query'
  | 'window'
  | 'palette'
  | 'listFind'
  | 'help'
  | 'formPart'
  | 'day'
  | 'exportPath'
  | 'viewName'
  | 'note'
  | 'originUrl'
  | 'notFoundPath'
  | 'regions'
  | 'confirmZone';
