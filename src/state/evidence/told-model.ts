import type { Failure } from '../../domain/failure.ts';
import type { EvidenceMet, EvidenceNeed } from '../../domain/questions/inquiry/inquiry.ts';

/** What the platform told besides its logs, by what it was asked; and which kind it refused last, which only a key asks for again. */
export type ToldState = {
  told: ReadonlyMap<string, { met: EvidenceMet; at: number }>;
  refused: ReadonlyMap<EvidenceNeed['kind'], Failure>;
};

export const NOTHING_TOLD: ToldState = { told: new Map(), refused: new Map() };
