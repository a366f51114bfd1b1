import { err, ok, type Result } from '../../../lib/result.ts'
import { numbersOf, type FileBytes } from './file-bytes.ts'
import { damaged, type FileFault, type Identity } from './identity.ts'

/** Mach-O, of Apple's systems, and the dSYM files of it. */

const WHAT = 'a Mach-O file'

export const MACHO_MAGICS: ReadonlySet<number> = new Set([0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe])
export const UNIVERSAL_MAGICS: ReadonlySet<number> = new Set([0xcafebabe, 0xcafebabf])

const COMMANDS_BYTES = 1024 * 1024
const SEGMENT = 0x1
const SYMBOLS = 0x2
const UUID = 0x1b
const SEGMENT_64 = 0x19

const TYPES: Readonly<Record<number, string>> = { 1: 'rel', 2: 'exe', 6: 'lib', 8: 'lib', 9: 'lib', 10: 'dbg' }

const LARGE = 0x01000000
const LARGE_32 = 0x02000000

const architectureOf = (cpu: number, subtype: number): string => {
  const kind = subtype & 0x00ffffff
  switch (cpu) {
    case 7:
      return 'x86'
    case 7 | LARGE:
      return kind === 8 ? 'x86_64h' : 'x86_64'
    case 12:
      return { 6: 'armv6', 9: 'armv7', 11: 'armv7s', 12: 'armv7k' }[kind] ?? 'arm'
    case 12 | LARGE:
      return kind === 2 ? 'arm64e' : 'arm64'
    case 12 | LARGE_32:
      return 'arm64_32'
    case 18:
      return 'ppc'
    case 18 | LARGE:
      return 'ppc64'
    default:
      return 'unknown'
  }
}

export const identifyMachO = async (file: FileBytes): Promise<Result<Identity, FileFault>> => {
  const first = await file.read(0, Math.min(32, file.size))
  if (first === null || first.byteLength < 32) return err(damaged(WHAT))
  const magic = first.readUInt32LE(0)
  const isLittleEndian = magic === 0xfeedface || magic === 0xfeedfacf
  const { u32 } = numbersOf(first, isLittleEndian)
  const isLarge = u32(0) === 0xfeedfacf
  const length = u32(20)
  const commands = length > COMMANDS_BYTES ? null : await file.read(isLarge ? 32 : 28, length)
  if (commands === null) return err(damaged(WHAT))
  const found = readCommands(commands, isLittleEndian)
  return ok({
    kind: 'macho',
    symbolType: TYPES[u32(12)] ?? 'none',
    architecture: architectureOf(u32(4), u32(8)),
    debugId: found.uuid,
    codeId: found.uuid,
    features: [
      ...(found.hasSymbols ? ['symtab'] : []),
      ...(found.segments.has('__DWARF') ? ['debug'] : []),
      ...(found.segments.has('__TEXT') && u32(12) !== 10 ? ['unwind'] : []),
    ],
  })
}

const readCommands = (commands: Buffer, isLittleEndian: boolean) => {
  const { u32 } = numbersOf(commands, isLittleEndian)
  const segments = new Set<string>()
  let uuid: string | null = null
  let hasSymbols = false
  for (let at = 0; at + 8 <= commands.length;) {
    const command = u32(at)
    const size = u32(at + 4)
    if (size < 8 || at + size > commands.length) break
    if (command === UUID && size >= 24) uuid = commands.toString('hex', at + 8, at + 24)
    if (command === SYMBOLS && size >= 16) hasSymbols = u32(at + 12) > 0
    if ((command === SEGMENT || command === SEGMENT_64) && size >= 24) {
      segments.add(commands.toString('latin1', at + 8, at + 24).replace(/\0.*$/s, ''))
    }
    at += size
  }
  return { uuid, hasSymbols, segments }
}
