import { MappingPreparer, PreparedMapping } from './prepared-mapping.ts'

/** The text of a mapping as it is prepared, read piece by piece as from a file; null where it is no mapping. */
export const preparedBytes = (text: string, pieceBytes = 256 * 1024): Buffer | null => {
  const bytes = Buffer.from(text)
  const made: Uint8Array[] = []
  const preparer = new MappingPreparer((part) => made.push(Buffer.from(part)))
  for (let at = 0; at < bytes.length; at += pieceBytes) preparer.push(bytes.subarray(at, at + pieceBytes))
  return preparer.end() ? Buffer.concat(made) : null
}

export const preparedMapping = (text: string, pieceBytes?: number): PreparedMapping => {
  const bytes = preparedBytes(text, pieceBytes)
  const mapping = bytes === null ? null : PreparedMapping.of(bytes)
  if (mapping === null) throw new Error('no mapping')
  return mapping
}
