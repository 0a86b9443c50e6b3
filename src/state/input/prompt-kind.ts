import type { HandoverPrompt } from '../handover/handover-model.ts';

/** What a line of text at the bottom of the screen is for. */
export type PromptKind =
  | 'narrow'
  | 'zonePattern'
  | 'find'
  | 'query'
  | 'window'
  | 'palette'
  | 'listFind'
  | 'formPart'
  | 'day'
  | HandoverPrompt
  | 'originUrl'
  | 'notFoundPath'
  | 'regions'
  | 'confirmZone';
