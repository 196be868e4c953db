/**
 * The field of an SSH structure that begins at `at`, and where the next one begins (RFC 4251, 5: a length in four bytes,
 * then so many). Throws a `RangeError` where `data` ends before the field does.
 */
export function wireField(data: Buffer, at: number): readonly [field: Buffer, end: number] {
  const end = at + 4 + data.readUInt32BE(at);
  if (end > data.length) throw new RangeError('cut short');
  return [data.subarray(at + 4, end), end];
}
