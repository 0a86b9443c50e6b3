/** The two forms with a weekday and a comma; Date.parse alone takes almost anything. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, [\w -]{9,12} \d{2}:\d{2}:\d{2} GMT$/;

/** An HTTP date as Unix ms; null for anything else. */
export function httpDateOf(text: string): number | null {
  const date = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : date;
}
