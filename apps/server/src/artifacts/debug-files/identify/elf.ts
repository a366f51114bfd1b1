import { err, ok, type Result } from '../../../lib/result.ts'
import { numbersOf, type FileBytes } from './file-bytes.ts'
import { damaged, idOfFields, type FileFault, type Identity } from './identity.ts'

/** ELF, of Linux and Android. */

const WHAT = 'an ELF file'

const MACHINES: Readonly<Record<number, string>> = {
  3: 'x86',
  8: 'mips',
  20: 'ppc',
  21: 'ppc64',
  40: 'arm',
  62: 'x86_64',
  183: 'arm64',
  243: 'riscv',
  258: 'loongarch64',
}

/** Sections and segments of programs are some dozens; of more none is looked at. */
const MOST_PARTS = 4096
const NAMES_BYTES = 1024 * 1024
const NOTES_BYTES = 64 * 1024
const HASHED_BYTES = 4096

const NOTE_SEGMENT = 4
const NOTE_SECTION = 7
const NO_BITS = 8
const BUILD_ID = 3

interface Section {
  readonly name: string
  readonly type: number
  readonly at: number
  readonly size: number
}

interface Header {
  readonly isLarge: boolean
  readonly isLittleEndian: boolean
  readonly type: number
  readonly machine: number
  readonly segments: { readonly at: number; readonly size: number; readonly count: number }
  readonly sections: { readonly at: number; readonly size: number; readonly count: number; readonly names: number }
}

const headerOf = (bytes: Buffer): Header | null => {
  const isLarge = bytes[4] === 2
  const isLittleEndian = bytes[5] === 1
  if ((bytes[4] !== 1 && !isLarge) || (bytes[5] !== 2 && !isLittleEndian)) return null
  const { u16, u32, u64 } = numbersOf(bytes, isLittleEndian)
  const counts = isLarge ? 54 : 42
  return {
    isLarge,
    isLittleEndian,
    type: u16(16),
    machine: u16(18),
    segments: { at: isLarge ? u64(32) : u32(28), size: u16(counts), count: u16(counts + 2) },
    sections: {
      at: isLarge ? u64(40) : u32(32),
      size: u16(counts + 4),
      count: u16(counts + 6),
      names: u16(counts + 8),
    },
  }
}

export const identifyElf = async (file: FileBytes): Promise<Result<Identity, FileFault>> => {
  const first = await file.read(0, Math.min(64, file.size))
  const header = first === null || first.byteLength < 64 ? null : headerOf(first)
  if (header === null) return err(damaged(WHAT))
  const sections = await sectionsOf(file, header)
  const buildId = (await buildIdOf(file, header, sections)) ?? null
  const id = buildId === null ? await idOfCode(file, sections, header) : idOfFields(buildId, header.isLittleEndian)
  const has = (...names: string[]): boolean =>
    sections.some(({ name, type }) => type !== NO_BITS && names.includes(name))
  const features = [
    ...(has('.symtab', '.dynsym') ? ['symtab'] : []),
    ...(has('.debug_info', '.zdebug_info') ? ['debug'] : []),
    ...(has('.eh_frame', '.debug_frame', '.zdebug_frame') ? ['unwind'] : []),
  ]
  return ok({
    kind: 'elf',
    symbolType: symbolTypeOf(header, sections),
    architecture: MACHINES[header.machine] ?? 'unknown',
    debugId: id,
    codeId: buildId === null ? null : buildId.toString('hex'),
    features,
  })
}

/** A file whose code was taken out has sections for it that hold nothing. */
const symbolTypeOf = ({ type }: Header, sections: readonly Section[]): string => {
  const isStripped = sections.some((section) => section.name === '.text' && section.type === NO_BITS)
  if (isStripped) return 'dbg'
  return type === 2 ? 'exe' : type === 3 ? 'lib' : type === 1 ? 'rel' : 'none'
}

const sectionsOf = async (file: FileBytes, header: Header): Promise<readonly Section[]> => {
  const { isLarge, isLittleEndian, sections } = header
  const { at, count, names, size } = sections
  if (count === 0 || count > MOST_PARTS || size < (isLarge ? 64 : 40)) return []
  const table = await file.read(at, count * size)
  if (table === null) return []
  const { u32, u64 } = numbersOf(table, isLittleEndian)
  const rows = Array.from({ length: count }, (_, index) => {
    const from = index * size
    return {
      nameAt: u32(from),
      type: u32(from + 4),
      at: isLarge ? u64(from + 24) : u32(from + 16),
      size: isLarge ? u64(from + 32) : u32(from + 20),
    }
  })
  const text = rows[names]
  const named = text === undefined ? null : await file.read(text.at, Math.min(text.size, NAMES_BYTES))
  return rows.map(({ nameAt, ...row }) => ({ ...row, name: named === null ? '' : textAt(named, nameAt) }))
}

const textAt = (bytes: Buffer, at: number): string => {
  if (at >= bytes.length) return ''
  const end = bytes.indexOf(0, at)
  return bytes.toString('latin1', at, Math.min(end === -1 ? bytes.length : end, at + 64))
}

/** By the segments, which stripped programs have as well, or else by the sections. */
const buildIdOf = async (
  file: FileBytes,
  header: Header,
  sections: readonly Section[],
): Promise<Buffer | undefined> => {
  const places = [
    ...(await noteSegments(file, header)),
    ...sections.filter(({ type, name }) => type === NOTE_SECTION || name === '.note.gnu.build-id'),
  ]
  for (const place of places) {
    const notes = await file.read(place.at, Math.min(place.size, NOTES_BYTES))
    const found = notes === null ? undefined : buildIdIn(notes, header.isLittleEndian)
    if (found !== undefined) return found
  }
  return undefined
}

const noteSegments = async (
  file: FileBytes,
  { isLarge, isLittleEndian, segments }: Header,
): Promise<readonly { readonly at: number; readonly size: number }[]> => {
  const { at, count, size } = segments
  if (count === 0 || count > MOST_PARTS || size < (isLarge ? 56 : 32)) return []
  const table = await file.read(at, count * size)
  if (table === null) return []
  const { u32, u64 } = numbersOf(table, isLittleEndian)
  return Array.from({ length: count }, (_, index) => index * size).flatMap((from) =>
    u32(from) !== NOTE_SEGMENT
      ? []
      : [isLarge ? { at: u64(from + 8), size: u64(from + 32) } : { at: u32(from + 4), size: u32(from + 16) }],
  )
}

const buildIdIn = (notes: Buffer, isLittleEndian: boolean): Buffer | undefined => {
  const { u32 } = numbersOf(notes, isLittleEndian)
  const padded = (length: number): number => Math.ceil(length / 4) * 4
  for (let at = 0; at + 12 <= notes.length;) {
    const nameLength = u32(at)
    const length = u32(at + 4)
    const contentAt = at + 12 + padded(nameLength)
    if (contentAt + length > notes.length) return undefined
    const isGnu = notes.toString('latin1', at + 12, at + 15) === 'GNU'
    if (isGnu && u32(at + 8) === BUILD_ID && length > 0 && length <= 64) {
      return notes.subarray(contentAt, contentAt + length)
    }
    at = contentAt + padded(length)
  }
  return undefined
}

/** Programs without a build id are known by the beginning of their code, as Breakpad does it. */
const idOfCode = async (
  file: FileBytes,
  sections: readonly Section[],
  { isLittleEndian }: Header,
): Promise<string | null> => {
  const code = sections.find(({ name, type }) => name === '.text' && type !== NO_BITS)
  if (code === undefined || code.size === 0) return null
  const bytes = await file.read(code.at, Math.min(code.size, HASHED_BYTES))
  if (bytes === null) return null
  const id = Buffer.alloc(16)
  for (const [index, byte] of bytes.entries()) id[index % 16] = (id[index % 16] ?? 0) ^ byte
  return idOfFields(id, isLittleEndian)
}
