type SystemFault = { code?: string };

/** The reader has read enough and went away, as `head` does: no error of ours. */
export function isClosed(error: Error): boolean {
  return (error as SystemFault).code === 'EPIPE';
}

/** What is said where the output takes no more and nobody could know that lines are missing: a full disk. */
export function unwritten(error: Error): string {
  const { code } = error as SystemFault;
  const why = code === 'ENOSPC' ? 'no space is left where it goes' : (code ?? 'it takes no more');
  return `the output is not whole: ${why}\n  What was written so far is cut at an unknown place.\n  Make room, or send it elsewhere, and run the command again.`;
}
