/** Characters read of a user agent: a longer one is no browser's, and may be an attack. */
const LOOKED_AT = 400;

/** Products that tell a browser from those it also claims to be, in the order in which they decide. */
const BROWSERS: readonly (readonly [product: string, name: string])[] = [
  ['Edg', 'Edge'],
  ['EdgA', 'Edge'],
  ['EdgiOS', 'Edge'],
  ['OPR', 'Opera'],
  ['OPX', 'Opera'],
  ['SamsungBrowser', 'Samsung'],
  ['YaBrowser', 'Yandex'],
  ['Vivaldi', 'Vivaldi'],
  ['UCBrowser', 'UC'],
  ['Instagram', 'Instagram'],
  ['FBAV', 'Facebook'],
  ['HeadlessChrome', 'HeadlessChrome'],
  ['CriOS', 'Chrome'],
  ['FxiOS', 'Firefox'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Version', 'Safari'],
];

/** Words in a browser's comment that name its system; Android also says Linux, and an iPhone Mac OS X. */
const SYSTEMS: readonly (readonly [word: string, name: string])[] = [
  ['Windows', 'Win'],
  ['iPhone', 'iOS'],
  ['iPad', 'iOS'],
  ['Android', 'Android'],
  ['CrOS', 'CrOS'],
  ['Macintosh', 'Mac'],
  ['Linux', 'Linux'],
];

/** What robots have in their names, and one phone, too. */
const ROBOT = /bot|crawler|spider|slurp/i;
const PHONE = 'cubot';

/** Separators of products and of the parts of comments; a product's version follows a slash. */
const BETWEEN = /[\s();,[\]]+/;
const VERSION = /^v?(\d{1,6})(?:\.(\d{1,6}))?/;

/** The longest text taken for a name. */
const NAME_MOST = 40;

type Product = { name: string; major: string; minor: string | undefined };

/**
 * A user agent in a few words: `Chrome 142 Win`, `Googlebot 2.1`, `curl 8.5`; one of unknown form as it came. It is
 * what the client claims, made of the text's first letters, and as untrusted as the whole.
 */
export function clientName(userAgent: string): string {
  const text = userAgent.slice(0, LOOKED_AT);
  const products = text.split(BETWEEN).flatMap(productIn);
  const robot = products.find(({ name }) => ROBOT.test(name) && name.toLowerCase() !== PHONE);
  if (robot) return named(robot);
  const [first] = products;
  if (first === undefined || !text.startsWith(first.name) || first.major === '') return userAgent;
  if (first.name !== 'Mozilla') return named(first);
  for (const [product, name] of BROWSERS) {
    const found = products.find((each) => each.name === product && each.major !== '');
    if (!found || (product === 'Version' && !text.includes('Safari/'))) continue;
    const system = SYSTEMS.find(([word]) => text.includes(word))?.[1];
    return [name, found.major, system].filter(Boolean).join(' ');
  }
  return userAgent;
}

function productIn(part: string): Product[] {
  const stroke = part.indexOf('/');
  const name = stroke < 0 ? part : part.slice(0, stroke);
  // The address of a robot's operator is no name of it.
  if (name === '' || name.length > NAME_MOST || name.includes('@')) return [];
  const [, major = '', minor] = VERSION.exec(stroke < 0 ? '' : part.slice(stroke + 1)) ?? [];
  return [{ name, major, minor }];
}

function named({ name, major, minor }: Product): string {
  return [name, minor === undefined ? major : `${major}.${minor}`].filter(Boolean).join(' ');
}
