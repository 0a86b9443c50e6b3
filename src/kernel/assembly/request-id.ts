const ZERO: i8 = 0x30;
const LETTER_A: i8 = 0x61;
const DIGITS: i32 = 32;

/** Packs an id of 32 lower-case hex digits into 16 bytes; false = it is another one. */
export function packId(start: i32, end: i32, to: i32): bool {
  return end - start === DIGITS && packHalf(start, to) && packHalf(start + 16, to + 8);
}

function packHalf(start: i32, to: i32): bool {
  const bytes = v128.load(start);
  const digits = v128.sub<i8>(bytes, v128.splat<i8>(ZERO));
  const letters = v128.sub<i8>(bytes, v128.splat<i8>(LETTER_A));
  const isDigit = v128.lt<u8>(digits, v128.splat<i8>(10));
  const isLetter = v128.lt<u8>(letters, v128.splat<i8>(6));
  if (!v128.all_true<i8>(v128.or(isDigit, isLetter))) return false;
  const values = v128.bitselect(digits, v128.add<i8>(letters, v128.splat<i8>(10)), isDigit);
  // Of each pair the first is the lower byte of 16 bits, and the upper half of what is kept.
  const firsts = v128.and(v128.shl<i16>(values, 4), v128.splat<i16>(0xf0));
  const pairs = v128.or(firsts, v128.shr<u16>(values, 8));
  store<u64>(to, v128.extract_lane<u64>(v128.narrow<u16>(pairs, pairs), 0));
  return true;
}
