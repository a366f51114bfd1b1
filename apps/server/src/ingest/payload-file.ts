import type { Envelope, Item } from '@firsthand/protocol'

/**
 * A payload that is too large to be held in memory: a file beside the spool, on disk before its record is. Nothing ever
 * changes it.
 */
export interface PayloadFile {
  readonly path: string
  readonly bytes: number
  /** Hex. */
  readonly sha256: string
}

/** A payload of an envelope's items that is a file. */
export interface ItemFile extends PayloadFile {
  /** Which of the items; its payload in the envelope is empty. */
  readonly item: number
}

interface FiledItem extends Item {
  readonly file: PayloadFile
}

/** Null for nearly all items: their payload is what they hold. */
export const fileOf = (item: Item): PayloadFile | null => (item as Partial<FiledItem>).file ?? null

/** Bytes of the payload, wherever it is. */
export const sizeOf = (item: Item): number => fileOf(item)?.bytes ?? item.payload.byteLength

/** The item as it was sent, but with its payload in a file. */
export const withFile = <One extends Item>(item: One, file: PayloadFile): One => ({
  ...item,
  header: { ...item.header, length: file.bytes, raw: { ...item.header.raw, length: file.bytes } },
  file,
})

export const withFiles = (envelope: Envelope, files: readonly ItemFile[]): Envelope => {
  if (files.length === 0) return envelope
  const byItem = new Map(files.map((file) => [file.item, file]))
  return {
    ...envelope,
    items: envelope.items.map((item, index) => {
      const file = byItem.get(index)
      return file === undefined ? item : withFile(item, file)
    }),
  }
}

/** What `withFiles` needs when the items are read again. */
export const filesOf = (items: readonly Item[]): readonly ItemFile[] =>
  items.flatMap((item, index) => {
    const file = fileOf(item)
    return file === null ? [] : [{ ...file, item: index }]
  })
