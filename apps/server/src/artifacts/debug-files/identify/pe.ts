import { err, ok, type Result } from '../../../lib/result.ts'
import { numbersOf, type FileBytes } from './file-bytes.ts'
import { damaged, idOfFields, withAge, type FileFault, type Identity } from './identity.ts'

/** PE, the programs and libraries of Windows. */

const WHAT = 'a program of Windows (PE)'

const MACHINES: Readonly<Record<number, string>> = {
  0x14c: 'x86',
  0x8664: 'x86_64',
  0x1c0: 'arm',
  0x1c4: 'armv7',
  0xaa64: 'arm64',
}

export const machineOf = (machine: number): string => MACHINES[machine] ?? 'unknown'

const LIBRARY = 0x2000
const LARGE_OPTIONAL = 0x20b
const DEBUG_DIRECTORY = 6
const EXCEPTION_DIRECTORY = 3
const CODEVIEW = 2
const MOST_ENTRIES = 64

export const identifyPe = async (file: FileBytes): Promise<Result<Identity, FileFault>> => {
  const dos = await file.read(0, 64)
  const at = dos?.readUInt32LE(60) ?? 0
  const head = dos === null ? null : await file.read(at, 24)
  if (head === null || head.toString('latin1', 0, 4) !== 'PE\0\0') return err(damaged(WHAT))
  const coff = numbersOf(head, true)
  const optionalSize = coff.u16(20)
  const optional = await file.read(at + 24, optionalSize)
  if (optional === null || optionalSize < 96) return err(damaged(WHAT))
  const sections = await file.read(at + 24 + optionalSize, Math.min(coff.u16(6), 96) * 40)
  const directories = directoriesOf(optional)
  const codeView = sections === null ? null : await codeViewOf(file, sections, directories.at(DEBUG_DIRECTORY))
  const { u32 } = numbersOf(optional, true)
  const hasUnwind = (directories.at(EXCEPTION_DIRECTORY)?.size ?? 0) > 0
  return ok({
    kind: 'pe',
    symbolType: (coff.u16(22) & LIBRARY) !== 0 ? 'lib' : 'exe',
    architecture: machineOf(coff.u16(4)),
    debugId: codeView,
    // When it was linked, and its size in memory: by this it is found on symbol servers.
    codeId: `${coff.u32(8).toString(16).padStart(8, '0')}${u32(56).toString(16)}`,
    features: hasUnwind ? ['unwind'] : [],
  })
}

interface Directory {
  /** In memory. */
  readonly address: number
  readonly size: number
}

const directoriesOf = (optional: Buffer): readonly Directory[] => {
  const { u16, u32 } = numbersOf(optional, true)
  const from = u16(0) === LARGE_OPTIONAL ? 112 : 96
  const count = Math.max(0, Math.min(16, Math.floor((optional.length - from) / 8)))
  return Array.from({ length: count }, (_, index) => ({
    address: u32(from + index * 8),
    size: u32(from + index * 8 + 4),
  }))
}

/** Where an address of the memory stands in the file. */
const placeOf = (sections: Buffer, address: number): number | null => {
  const { u32 } = numbersOf(sections, true)
  for (let at = 0; at + 40 <= sections.length; at += 40) {
    const begin = u32(at + 12)
    if (begin <= address && address < begin + u32(at + 16)) return u32(at + 20) + address - begin
  }
  return null
}

const codeViewOf = async (
  file: FileBytes,
  sections: Buffer,
  directory: Directory | undefined,
): Promise<string | null> => {
  const place = directory === undefined || directory.size === 0 ? null : placeOf(sections, directory.address)
  if (place === null || directory === undefined) return null
  const entries = await file.read(place, Math.min(Math.floor(directory.size / 28), MOST_ENTRIES) * 28)
  if (entries === null) return null
  const { u32 } = numbersOf(entries, true)
  for (let at = 0; at + 28 <= entries.length; at += 28) {
    if (u32(at + 12) !== CODEVIEW || u32(at + 16) < 24) continue
    const view = await file.read(u32(at + 24), 24)
    if (view?.toString('latin1', 0, 4) === 'RSDS') {
      return withAge(idOfFields(view.subarray(4, 20)), view.readUInt32LE(20))
    }
  }
  return null
}
