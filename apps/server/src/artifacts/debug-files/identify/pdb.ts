import { err, ok, type Result } from '../../../lib/result.ts'
import { numbersOf, type FileBytes } from './file-bytes.ts'
import { damaged, idOfFields, withAge, type FileFault, type Identity } from './identity.ts'
import { machineOf } from './pe.ts'

/** PDB, the debug files of Windows, and portable PDB, those of .NET. */

const WHAT = 'a PDB'
const PORTABLE = 'a portable PDB'

export const PDB_MAGIC = 'Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0'
export const PORTABLE_MAGIC = 'BSJB'

const PAGE_SIZES: ReadonlySet<number> = new Set([512, 1024, 2048, 4096, 8192, 16_384, 32_768])

/** Sizes of streams at the beginning of their list: those that are read are the first ones. */
const INFO_STREAM = 1
const DBI_STREAM = 3
const NO_STREAM = 0xffffffff

export const identifyPdb = async (file: FileBytes): Promise<Result<Identity, FileFault>> => {
  const head = await file.read(0, 56)
  if (head === null) return err(damaged(WHAT))
  const pageSize = head.readUInt32LE(32)
  const listBytes = head.readUInt32LE(44)
  if (!PAGE_SIZES.has(pageSize) || listBytes < 4) return err(damaged(WHAT))
  const pageAt = async (page: number, length: number): Promise<Buffer | null> => file.read(page * pageSize, length)
  // The list of streams lies in pages, whose numbers lie in another page.
  const listPages = await pageAt(head.readUInt32LE(52), Math.min(pageSize, Math.ceil(listBytes / pageSize) * 4))
  if (listPages === null) return err(damaged(WHAT))
  const list = await startOfList(pageAt, listPages, { pageSize, listBytes })
  const info = list === null ? null : await streamStart(pageAt, list, { stream: INFO_STREAM, pageSize, length: 28 })
  if (list === null || info === null) return err(damaged(WHAT))
  const dbi = await streamStart(pageAt, list, { stream: DBI_STREAM, pageSize, length: 60 })
  // Tools that change a PDB raise the age of its list of modules.
  const age = dbi === null ? info.readUInt32LE(8) : dbi.readUInt32LE(8)
  return ok({
    kind: 'pdb',
    symbolType: 'dbg',
    architecture: dbi === null ? 'unknown' : machineOf(dbi.readUInt16LE(58)),
    debugId: withAge(idOfFields(info.subarray(12, 28)), age),
    codeId: null,
    features: ['symtab', 'debug'],
  })
}

type PageAt = (page: number, length: number) => Promise<Buffer | null>

/** Of the list, no more than what says where the first streams are. */
const LIST_BYTES = 512 * 1024

const startOfList = async (
  pageAt: PageAt,
  pages: Buffer,
  { listBytes, pageSize }: { readonly pageSize: number; readonly listBytes: number },
): Promise<Buffer | null> => {
  const wanted = Math.min(listBytes, LIST_BYTES)
  const parts: Buffer[] = []
  for (let at = 0, left = wanted; left > 0 && at + 4 <= pages.length; at += 4, left -= pageSize) {
    const part = await pageAt(pages.readUInt32LE(at), Math.min(pageSize, left))
    if (part === null) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const streamStart = async (
  pageAt: PageAt,
  list: Buffer,
  { length, pageSize, stream }: { readonly stream: number; readonly pageSize: number; readonly length: number },
): Promise<Buffer | null> => {
  const { u32 } = numbersOf(list, true)
  const count = u32(0)
  if (stream >= count || 4 + (stream + 1) * 4 > list.length) return null
  const sizeOf = (index: number): number => (u32(4 + index * 4) === NO_STREAM ? 0 : u32(4 + index * 4))
  if (sizeOf(stream) < length) return null
  let pagesBefore = 0
  for (let index = 0; index < stream; index += 1) pagesBefore += Math.ceil(sizeOf(index) / pageSize)
  const at = 4 + count * 4 + pagesBefore * 4
  return at + 4 > list.length ? null : pageAt(u32(at), length)
}

/** Of .NET: a list of named streams, of which `#Pdb` begins with the id. */
export const identifyPortablePdb = async (file: FileBytes): Promise<Result<Identity, FileFault>> => {
  const head = await file.read(0, Math.min(file.size, 1024))
  if (head === null || head.length < 20) return err(damaged(PORTABLE))
  const at = 16 + head.readUInt32LE(12)
  if (at + 4 > head.length) return err(damaged(PORTABLE))
  const place = placeOfStream(head, at + 4, head.readUInt16LE(at + 2))
  const id = place === null ? null : await file.read(place, 20)
  if (id === null) return err(damaged(PORTABLE))
  return ok({
    kind: 'portablepdb',
    symbolType: 'dbg',
    architecture: 'any',
    debugId: withAge(idOfFields(id.subarray(0, 16)), id.readUInt32LE(16)),
    codeId: null,
    features: ['debug'],
  })
}

const placeOfStream = (head: Buffer, from: number, streams: number): number | null => {
  let at = from
  for (let index = 0; index < Math.min(streams, 16) && at + 8 < head.length; index += 1) {
    const end = head.indexOf(0, at + 8)
    if (end === -1) return null
    if (head.toString('latin1', at + 8, end) === '#Pdb') return head.readUInt32LE(at)
    at += 8 + Math.ceil((end - at - 8 + 1) / 4) * 4
  }
  return null
}
